// Talks to the referee: reads its lines, asks choose, writes the answers.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

// Choice is what may be answered: Low to High of Options.
type Choice struct {
	Kind    string   `json:"kind"`
	Options []string `json:"options"`
	Low     int      `json:"low"`
	High    int      `json:"high"`
}

// Clock is the time for a decision: MoveMS, then what is left of the match's BankMS.
type Clock struct {
	MoveMS int64 `json:"move_ms"`
	BankMS int64 `json:"bank_ms"`
}

// Start is the beginning of a match.
type Start struct {
	Match   string         `json:"match"`
	Game    string         `json:"game"`
	Version int            `json:"version"`
	Seat    int            `json:"seat"`
	Seats   int            `json:"seats"`
	Options map[string]any `json:"options"`
}

// Act is a decision.
type Act struct {
	ID     string           `json:"id"`
	Match  string           `json:"match"`
	Step   int64            `json:"step"`
	Seed   int64            `json:"seed"`
	Choice Choice           `json:"choice"`
	Clock  Clock            `json:"clock"`
	Events []map[string]any `json:"events"`
	View   View             `json:"view"`
	Start  Start            `json:"-"` // the match it belongs to
	Random *rand.Rand       `json:"-"` // follows from Seed and Step
	Note   string           `json:"-"` // set it to store a note with the move; replays show it
	Usage  *Usage           `json:"-"` // set it to say what the decision cost
}

// Usage is what a decision cost; 0 is not said.
type Usage struct {
	InputTokens  int64   `json:"input_tokens,omitempty"`
	OutputTokens int64   `json:"output_tokens,omitempty"`
	CostUSD      float64 `json:"cost_usd,omitempty"`
	Requests     int64   `json:"requests,omitempty"`
}

type answer struct {
	ID    string `json:"id"`
	Move  any    `json:"move"`
	Note  string `json:"note,omitempty"`
	Usage *Usage `json:"usage,omitempty"`
}

// serve answers the referee until it closes stdin.
func serve(choose func(*Act) []string) {
	lines := bufio.NewReaderSize(os.Stdin, 1<<16)
	var start Start
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var message struct {
			Type string `json:"type"`
		}
		read(line, &message)
		switch message.Type {
		case "hello":
			fmt.Println(`{"type":"ready","protocol":1}`)
		case "start":
			start = Start{}
			read(line, &start)
		case "act":
			act := &Act{Choice: Choice{Low: 1, High: 1}, Start: start}
			read(line, act)
			act.Random = rand.New(rand.NewSource(act.Seed*1_000_003 + act.Step))
			write(act, choose(act))
		case "bye":
			return
		}
	}
}

func read(line []byte, into any) {
	if err := json.Unmarshal(line, into); err != nil {
		fmt.Fprintln(os.Stderr, "cannot read a line:", err)
		os.Exit(1)
	}
}

func write(act *Act, moves []string) {
	reply := answer{ID: act.ID, Move: moves, Note: act.Note, Usage: act.Usage}
	if act.Choice.Kind == "one" {
		reply.Move = moves[0]
	}
	text, err := json.Marshal(reply)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(append(text, '\n'))
}
