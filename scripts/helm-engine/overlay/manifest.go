// Replaces releaseutil's own file of this name. The rules are the same; the expression that separates documents took half of the
// time of a rendering, and each document is converted to JSON once, for its head and for the host.
package releaseutil

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// SimpleHead defines what the structure of the head of a manifest file
type SimpleHead struct {
	Version  string `json:"apiVersion"`
	Kind     string `json:"kind,omitempty"`
	Metadata *struct {
		Name        string            `json:"name"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata,omitempty"`
}

// Converted has the JSON of each document whose head was read, by its text.
var Converted = map[string][]byte{}

// readHead reads the head of a document, and keeps its JSON. A manifest has a line break after each document, which a block of text
// at its end keeps.
func readHead(text string, head *SimpleHead) error {
	if known, ok := Converted[text]; ok && json.Unmarshal(known, head) == nil {
		return nil
	}
	*head = SimpleHead{}
	converted, err := yaml.YAMLToJSON([]byte(text + "\n"))
	if err == nil && json.Unmarshal(converted, head) == nil {
		Converted[text] = converted
		return nil
	}
	// A number as a name becomes text here, and errors have Helm's words.
	*head = SimpleHead{}
	if err := yaml.Unmarshal([]byte(text), head); err != nil {
		return err
	}
	Converted[text] = converted
	return nil
}

// SplitManifests takes a string of manifest and returns a map contains individual manifests
func SplitManifests(bigFile string) map[string]string {
	res := map[string]string{}
	for _, document := range Documents(bigFile) {
		res[fmt.Sprintf("manifest-%d", len(res))] = document
	}
	return res
}

// Documents separates a text as the expression `(?:^|\s*\n)---\s*` does.
func Documents(text string) []string {
	text = strings.TrimSpace(text)
	var found []string
	add := func(document string) {
		if document != "" {
			found = append(found, strings.TrimSpace(document))
		}
	}
	begin := 0
	if strings.HasPrefix(text, "---") {
		begin = afterSpace(text, len("---"))
	}
	for {
		at := strings.Index(text[begin:], "\n---")
		if at < 0 {
			break
		}
		end := begin + at
		for end > begin && isSpace(text[end-1]) {
			end--
		}
		add(text[begin:end])
		begin = afterSpace(text, begin+at+len("\n---"))
	}
	add(text[begin:])
	return found
}

func afterSpace(text string, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

func isSpace(char byte) bool {
	return char == ' ' || char == '\n' || char == '\t' || char == '\r' || char == '\f'
}

// BySplitManifestsOrder sorts by in-file manifest order, as provided in function `SplitManifests`
type BySplitManifestsOrder []string

func (a BySplitManifestsOrder) Len() int { return len(a) }
func (a BySplitManifestsOrder) Less(i, j int) bool {
	// Split `manifest-%d`
	anum, _ := strconv.ParseInt(a[i][len("manifest-"):], 10, 0)
	bnum, _ := strconv.ParseInt(a[j][len("manifest-"):], 10, 0)
	return anum < bnum
}
func (a BySplitManifestsOrder) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
