// What the bot uses of Node. `npm install --save-dev @types/node` has all of it, and then this file can go.
declare const process: {
  stdin: { setEncoding(name: string): void; on(event: "data" | "end", listener: (text: string) => void): void };
  stdout: { write(text: string): void };
  stderr: { write(text: string): void };
  exit(status: number): never;
};
