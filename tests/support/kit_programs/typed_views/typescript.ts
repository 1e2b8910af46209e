// Reads a view and prints some of its parts.
import { View } from "./view";

declare const console: { log(text: string): void };

function some(value: unknown): string {
  return value === null || value === undefined ? "none" : "some";
}

function print(view: View): void {
  const suit: "red" | "a??/b" | 'qu"ote' = view["a??/b"];
  console.log(`${view.for} ${view["2nd"].toFixed(2)} ${view["é"]} ${suit}`);
  console.log(`${view.suits[0]} ${some(view.suits[1])}`);
  const sizes = view.grid.map((row: number[]) => row.length).join(" ");
  console.log(`${view.grid.length}: ${sizes}; grid[2][0] = ${view.grid[2][0]}`);
  console.log(view.flags.join(" "));
  for (const key of Object.keys(view.bag)) console.log(`${key}: ${view.bag[key].join(" ")}`);
  console.log(`${view.who} ${some(view.whom)} ${view.absent === undefined ? "absent" : "there"}`);
  const leaf = view.tree?.left;
  console.log(`${view.tree?.name} ${leaf?.name} ${some(leaf?.left)}`);
  console.log(view.trees.map((tree) => tree.name).join(" "));
  const pair: [string, number] | undefined = view.pair;
  console.log(`${pair?.join(" ")} ${view.either}`);
}

let text = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => (text += chunk));
process.stdin.on("end", () => print(JSON.parse(text)));
