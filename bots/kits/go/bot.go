// A bot that chooses at random, until you write something better into choose.
package main

// choose returns the options to take, act.Choice.Low to act.Choice.High of them (mostly one).
//
// act.View holds what your seat knows, act.Events what has happened since you were last asked.
// Draw random numbers from act.Random, and the bot plays a match again as it did before.
func choose(act *Act) []string {
	low, high := act.Choice.Low, act.Choice.High
	moves := make([]string, 0, high)
	for _, i := range act.Random.Perm(len(act.Choice.Options))[:low+act.Random.Intn(high-low+1)] {
		moves = append(moves, act.Choice.Options[i])
	}
	return moves
}

func main() {
	serve(choose)
}
