// Talks to the referee: reads its lines, asks choose, writes the answers.
import { View } from "./view";

/** A match as it begins. */
export interface Start {
  match: string;
  game: string;
  version: number;
  seat: number;
  seats: number;
  options: { [name: string]: any };
}

/** What may be answered: low to high of the options. */
export interface Choice {
  kind: "one" | "some";
  options: string[];
  low: number;
  high: number;
}

/** What a decision cost. */
export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cost_usd?: number;
  requests?: number;
}

/** A decision. */
export interface Act {
  id: string;
  match: string;
  step: number;
  seed: number;
  choice: Choice;
  clock: { move_ms: number; bank_ms: number };
  events: { event: string; [field: string]: any }[];
  view: View;
  /** The match it belongs to. */
  start: Start;
  /** Returns a number from 0 to 1; the numbers follow from seed and step. */
  random: () => number;
  /** Set it to store a note with the move; replays show it. */
  note?: string;
  /** Set it to say what the decision cost. */
  usage?: Usage;
}

/** Answers the referee until it closes stdin. */
export function serve(choose: (act: Act, view: View) => string[]): void {
  let start: Start;
  let rest = "";

  function read(line: string): object | null {
    const message = JSON.parse(line);
    if (message.type === "hello") return { type: "ready", protocol: 1 };
    if (message.type === "start") start = message;
    if (message.type !== "act") return null;
    const act: Act = {
      ...message,
      start,
      choice: { low: 1, high: 1, ...message.choice },
      random: generator(message.seed, message.step),
    };
    const moves = choose(act, act.view);
    return { id: act.id, move: act.choice.kind === "one" ? moves[0] : moves, note: act.note, usage: act.usage };
  }

  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() || "";
    for (const line of lines) {
      const answer = read(line);
      if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
    }
  });
  process.stdin.on("end", () => process.exit(0));
}

// Random numbers from 0 to 1, always the same for a seed and a step (mulberry32).
function generator(seed: number, step: number): () => number {
  let state = (seed ^ Math.floor(seed / 4294967296) ^ Math.imul(step + 1, 0x9e3779b1)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
