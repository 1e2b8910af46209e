// Reads a view and prints some of its parts.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	var view View
	if err := json.NewDecoder(os.Stdin).Decode(&view); err != nil {
		panic(err)
	}
	fmt.Printf("%d %.2f %t %s\n", view.For, view.F2nd, view.Field, view.AB)
	fmt.Printf("%s %s\n", *view.Suits[0], some(view.Suits[1] != nil))
	fmt.Printf("%d:", len(view.Grid))
	for _, row := range view.Grid {
		fmt.Printf(" %d", len(row))
	}
	fmt.Printf("; grid[2][0] = %d\n", view.Grid[2][0])
	fmt.Println(view.Flags[0], view.Flags[1], view.Flags[2])
	for key, items := range view.Bag {
		fmt.Printf("%s: %s %s\n", key, items[0], items[1])
	}
	absent := "absent"
	if view.Absent != nil {
		absent = "there"
	}
	fmt.Printf("%d %s %s\n", *view.Who, some(view.Whom != nil), absent)
	leaf := view.Tree.Left
	fmt.Printf("%s %s %s\n", view.Tree.Name, leaf.Name, some(leaf.Left != nil))
	fmt.Printf("%s %s\n", view.Trees[0].Name, view.Trees[1].Name)
	var name, either string
	for raw, into := range map[*json.RawMessage]*string{&view.Pair[0]: &name, &view.Either: &either} {
		if err := json.Unmarshal(*raw, into); err != nil {
			panic(err)
		}
	}
	fmt.Printf("%s %s %s\n", name, view.Pair[1], either)
}

func some(there bool) string {
	if there {
		return "some"
	}
	return "none"
}
