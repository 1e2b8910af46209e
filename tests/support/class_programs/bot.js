require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line);
  if (m.type === "hello") console.log('{"type":"ready","protocol":1}');
  if (m.type !== "act") return;
  const { kind, options, low } = m.choice;
  console.log(JSON.stringify({ id: m.id, move: kind === "one" ? options[0] : options.slice(0, low) }));
}).on("close", () => process.exit(0));
