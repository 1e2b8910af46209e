// Plays any game at random.  Node alone: everything a bot must do is on this page.
"use strict";

// A small generator for the bot's own luck (mulberry32): same seed, same moves.
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// Every option is equally likely; of several, first how many, then which.
function pick(choice, random) {
  const below = (n) => Math.floor(random() * n);
  if (choice.kind === "one") return choice.options[below(choice.options.length)];
  const left = [...choice.options];
  const size = choice.low + below(choice.high - choice.low + 1);
  return Array.from({ length: size }, () => left.splice(below(left.length), 1)[0]);
}

function answer(message) {
  if (message.type === "hello") return { type: "ready", protocol: 1, parallel: 32 };
  if (message.type !== "act") return null;
  const random = generator((message.seed % 4294967291) ^ (message.step * 2654435761));
  return { id: message.id, move: pick(message.choice, random) };
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  const answers = lines.map((line) => answer(JSON.parse(line))).filter(Boolean);
  if (answers.length) process.stdout.write(answers.map((a) => JSON.stringify(a) + "\n").join(""));
});
process.stdin.on("end", () => process.exit(0));
