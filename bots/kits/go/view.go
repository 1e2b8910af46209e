package main

// View is what a bot sees: an object as the README.md of the game describes it.
// `ladder new go NAME --game GAME` writes the types of one game here.
type View = map[string]any
