// A bot that chooses at random, until you write something better into choose.
import { Act, serve } from "./referee";
import { View } from "./view";

/**
 * Returns the options to take: a list of act.choice.low to act.choice.high of them, mostly one.
 *
 * The view holds what your seat knows, act.events what has happened since you were last asked.
 * Draw random numbers from act.random(), and the bot plays a match again as it did before.
 */
function choose(act: Act, view: View): string[] {
  const { options, low, high } = act.choice;
  const left = [...options];
  const size = low + Math.floor(act.random() * (high - low + 1));
  return Array.from({ length: size }, () => left.splice(Math.floor(act.random() * left.length), 1)[0]);
}

serve(choose);
