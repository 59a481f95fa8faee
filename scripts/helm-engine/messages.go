package main

import "helm.sh/helm/v3/pkg/chart"

// file is a file of a chart; its data is base64 in JSON.
type file struct {
	Name string `json:"name"`
	Data []byte `json:"data"`
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
}

type answer struct {
	// Error is Helm's message; Stage says where it failed: request, load, version, values, render, sort, answer.
	Error string `json:"error,omitempty"`
	Stage string `json:"stage,omitempty"`
	// Manifest is all objects in install order, as a release stores them.
	Manifest string `json:"manifest"`
	Hooks    any    `json:"hooks"`
	// LeftOut names hooks that Helm leaves out, because it does not know one of their events.
	LeftOut []string `json:"leftOut"`
	CRDs    []crd    `json:"crds"`
	Notes   string   `json:"notes"`
	// Chart is what a release stores of the chart.
	Chart *chart.Chart `json:"chart,omitempty"`
	// Asked are lookups that Lookups does not answer: find them and render again.
	Asked []string `json:"asked"`
}

// crd is a file in `crds/`, of the chart or of a subchart.
type crd struct {
	Name string `json:"name"`
	Data string `json:"data"`
}

func failed(stage string, err error) answer { return answer{Error: err.Error(), Stage: stage} }
