package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
)

// file is a file of a chart. Its content follows the head of the request.
type file struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

type request struct {
	// Files of the chart, without those that .helmignore names; `charts/` holds folders or archives.
	Files []file `json:"files"`
	// Values is the user's JSON as text, so that numbers stay what they are until Helm reads them.
	Values  string `json:"values"`
	Release struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
		Revision  int    `json:"revision"`
		IsInstall bool   `json:"isInstall"`
	} `json:"release"`
	KubeVersion string   `json:"kubeVersion"`
	APIVersions []string `json:"apiVersions"`
	// Lookups answers `lookup`: key `apiVersion|kind|namespace|name`; an object, a list, or null if it does not exist.
	Lookups map[string]map[string]any `json:"lookups"`
	// IsLastRound asks for an answer although lookups are not answered.
	IsLastRound bool `json:"isLastRound"`
	// KnownCRDs are files in `crds/` that the host has read already.
	KnownCRDs []string `json:"knownCRDs"`
	// Variants are other seeds and times, which the host has: the chart is rendered once more with each, if it draws anything.
	Variants []struct{} `json:"variants"`
}

type answer struct {
	// Error is Helm's message; Stage says where it failed: request, load, version, values, render, sort, answer.
	Error string `json:"error,omitempty"`
	Stage string `json:"stage,omitempty"`
	rendering
	// CRDs are the files in `crds/`, of the chart and of subcharts.
	CRDs []string `json:"crds"`
	// CRDDocuments are the documents of files in `crds/` that the host does not know.
	CRDDocuments []document `json:"crdDocuments"`
	// Chart is what a release stores of the chart, without its files.
	Chart *chart.Chart `json:"chart,omitempty"`
	// Asked are lookups that Lookups does not answer: find them and render again.
	Asked []string `json:"asked"`
	// Draws counts the calls of functions whose result is random or depends on the time.
	Draws int `json:"draws"`
	// Variants are the renderings with other seeds, without those from one that failed. Their texts are the last.
	Variants []rendering `json:"variants,omitempty"`
}

// rendering is the result of the templates, in an answer or a variant.
type rendering struct {
	// Manifest is the size of all objects in install order, as a release stores them: the first text.
	Manifest int `json:"manifest"`
	// Documents are those of the manifest, and after them one for each hook: texts of JSON after the manifest.
	Documents []document `json:"documents"`
	Hooks     any        `json:"hooks"`
	// LeftOut names hooks that Helm leaves out, because it does not know one of their events.
	LeftOut []string `json:"leftOut"`
	Notes   string   `json:"notes"`

	texts         [][]byte
	documentTexts []string
}

// document is a document of YAML, converted to JSON.
type document struct {
	Source string `json:"source"`
	// Size of the JSON, and Length of the YAML, in bytes.
	Size   int `json:"size"`
	Length int `json:"length"`
	// Same is the place of an equal document of the answer, instead of a text; only in variants.
	Same *int `json:"same,omitempty"`
}

func failed(stage string, err error) answer { return answer{Error: err.Error(), Stage: stage} }

const lengthBytes = 4

// unpacked reads a request and the files after it.
func unpacked(input []byte) (*request, []*loader.BufferedFile, error) {
	if len(input) < lengthBytes {
		return nil, nil, errors.New("the request has no head")
	}
	size := int(binary.LittleEndian.Uint32(input))
	rest := input[lengthBytes:]
	if size > len(rest) {
		return nil, nil, errors.New("the head of the request is cut off")
	}
	var req request
	if err := json.Unmarshal(rest[:size], &req); err != nil {
		return nil, nil, err
	}
	rest = rest[size:]
	files := make([]*loader.BufferedFile, 0, len(req.Files))
	for _, f := range req.Files {
		if f.Size > len(rest) {
			return nil, nil, errors.New("a file of the request is cut off")
		}
		files = append(files, &loader.BufferedFile{Name: f.Name, Data: rest[:f.Size:f.Size]})
		rest = rest[f.Size:]
	}
	return &req, files, nil
}

// packed is an answer as the host reads it.
func packed(out answer) []byte {
	head, err := json.Marshal(out)
	if err != nil {
		out = failed("answer", err)
		head, _ = json.Marshal(out)
	}
	length := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	parts := append([][]byte{append(length, head...)}, out.texts...)
	for _, variant := range out.Variants {
		parts = append(parts, variant.texts...)
	}
	return bytes.Join(parts, nil)
}
