package wire

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
)

// Command is one line of JSON on standard input.
type Command struct {
	Call       string `json:"call"`
	Config     string `json:"config,omitempty"`
	Address    string `json:"address,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Object     string `json:"object,omitempty"`
	Type       string `json:"type,omitempty"`
	TimeoutMs  int    `json:"timeoutMs,omitempty"`
}

// Answer is one line of JSON on file descriptor 3, so that standard output stays what a vcluster process prints.
type Answer struct {
	Error   string `json:"error,omitempty"`
	Config  string `json:"config,omitempty"`
	Object  string `json:"object,omitempty"`
	Mutated bool   `json:"mutated,omitempty"`
	TookMs  int64  `json:"tookMs"`
}

// Serve answers commands in turn until standard input ends.
func Serve(answer func(Command) Answer) error {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := json.NewEncoder(os.NewFile(3, "answers"))
	for {
		line, err := input.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var command Command
		if err := json.Unmarshal(line, &command); err != nil {
			return err
		}
		if err := output.Encode(answer(command)); err != nil {
			return err
		}
	}
}
