// hook-answers takes answers of hooks as vcluster takes them: it decodes each into a typed object that already holds
// what the hook was given. Lines of JSON come in, a line for each goes out:
//
//	{"kind":"Pod","before":{…},"after":{…},"answer":"…"}  ->  {"got":{…},"want":{…}}
//
// where "want" is what "after" comes to in a fresh object. "error" replaces both if Go cannot read the
// answer.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

type question struct {
	Kind   string          `json:"kind"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
	Answer string          `json:"answer"`
}

type verdict struct {
	Got   any    `json:"got,omitempty"`
	Want  any    `json:"want,omitempty"`
	Error string `json:"error,omitempty"`
}

var kinds = map[string]func() any{
	"Pod":                   func() any { return &corev1.Pod{} },
	"Service":               func() any { return &corev1.Service{} },
	"Secret":                func() any { return &corev1.Secret{} },
	"ConfigMap":             func() any { return &corev1.ConfigMap{} },
	"PersistentVolumeClaim": func() any { return &corev1.PersistentVolumeClaim{} },
	"Ingress":               func() any { return &networkingv1.Ingress{} },
}

func judge(line []byte) verdict {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return verdict{Error: err.Error()}
	}
	create, known := kinds[asked.Kind]
	if !known {
		return verdict{Error: fmt.Sprintf("kind %q is not known", asked.Kind)}
	}
	got, want := create(), create()
	if err := json.Unmarshal(asked.After, want); err != nil {
		return verdict{Error: "what the hook returned: " + err.Error()}
	}
	if err := json.Unmarshal(asked.Before, got); err != nil {
		return verdict{Error: "what the hook was given: " + err.Error()}
	}
	if err := json.Unmarshal([]byte(asked.Answer), got); err != nil {
		return verdict{Error: "the answer: " + err.Error()}
	}
	return verdict{Got: got, Want: want}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := answers.Encode(judge(lines.Bytes())); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
