package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	helmrelease "helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"
	"sigs.k8s.io/yaml"
)

// respond answers a request; a panic of a template function is an error of the template.
func respond(input []byte) (out answer) {
	defer func() {
		if problem := recover(); problem != nil {
			out = answer{Error: fmt.Sprint(problem), Stage: "render"}
		}
	}()
	var req request
	if err := json.Unmarshal(input, &req); err != nil {
		return failed("request", err)
	}
	chrt, err := load(req.Files)
	if err != nil {
		return failed("load", err)
	}
	values, stage, err := renderValues(&req, chrt)
	if err != nil {
		return failed(stage, err)
	}
	look := newLookups(req.Lookups)
	texts, err := engine.RenderWithClientProvider(chrt, values, look)
	out = answer{Chart: chrt, Asked: look.unanswered()}
	if err != nil {
		out.Error, out.Stage = err.Error(), "render"
		return out
	}
	return sorted(out, texts)
}

func load(given []file) (*chart.Chart, error) {
	files := make([]*loader.BufferedFile, 0, len(given))
	for _, f := range given {
		files = append(files, &loader.BufferedFile{Name: f.Name, Data: f.Data})
	}
	return loader.LoadFiles(files)
}

// renderValues are what templates see: the values of the chart and the user, the release, and what the cluster can do.
func renderValues(req *request, chrt *chart.Chart) (values chartutil.Values, stage string, err error) {
	given := map[string]any{}
	if err := yaml.Unmarshal([]byte(req.Values), &given); err != nil {
		return nil, "values", err
	}
	if given == nil {
		given = map[string]any{}
	}
	caps, err := capabilities(req)
	if err != nil {
		return nil, "request", err
	}
	if want := chrt.Metadata.KubeVersion; want != "" && !chartutil.IsCompatibleRange(want, caps.KubeVersion.String()) {
		return nil, "version", fmt.Errorf("the chart requires Kubernetes %s, but this cluster has %s", want, caps.KubeVersion.String())
	}
	if err := chartutil.ProcessDependenciesWithMerge(chrt, given); err != nil {
		return nil, "values", err
	}
	options := chartutil.ReleaseOptions{
		Name:      req.Release.Name,
		Namespace: req.Release.Namespace,
		Revision:  max(req.Release.Revision, 1),
		IsUpgrade: !req.Release.IsInstall,
		IsInstall: req.Release.IsInstall,
	}
	values, err = chartutil.ToRenderValuesWithSchemaValidation(chrt, given, options, caps, false)
	return values, "values", err
}

func capabilities(req *request) (*chartutil.Capabilities, error) {
	caps := chartutil.DefaultCapabilities.Copy()
	caps.APIVersions = req.APIVersions
	version, err := chartutil.ParseKubeVersion(req.KubeVersion)
	if err != nil {
		return nil, err
	}
	caps.KubeVersion = *version
	return caps, nil
}

// sorted adds the rendered texts to the answer: notes, hooks, and objects in install order.
func sorted(out answer, texts map[string]string) answer {
	out.Notes = takeNotes(out.Chart, texts)
	hooks, manifests, err := releaseutil.SortManifests(texts, nil, releaseutil.InstallOrder)
	if err != nil {
		out.Error, out.Stage = err.Error(), "sort"
		return out
	}
	var text strings.Builder
	for _, manifest := range manifests {
		fmt.Fprintf(&text, "---\n# Source: %s\n%s\n", manifest.Name, manifest.Content)
	}
	out.Manifest, out.Hooks, out.LeftOut = text.String(), hooks, leftOut(texts, hooks)
	for _, definition := range out.Chart.CRDObjects() {
		out.CRDs = append(out.CRDs, crd{Name: definition.Filename, Data: string(definition.File.Data)})
	}
	return out
}

// leftOut names objects with the annotation of hooks that are not among the hooks: Helm does not know one of their events.
func leftOut(texts map[string]string, hooks []*helmrelease.Hook) []string {
	isHook := map[string]bool{}
	for _, hook := range hooks {
		isHook[hook.Path+"\n"+hook.Manifest] = true
	}
	var names []string
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		if !strings.Contains(texts[file], helmrelease.HookAnnotation) || strings.HasPrefix(path.Base(file), "_") {
			continue
		}
		entries := releaseutil.SplitManifests(texts[file])
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			if isHook[file+"\n"+entries[key]] {
				continue
			}
			if head := hookHead(entries[key]); head != nil {
				events := head.Metadata.Annotations[helmrelease.HookAnnotation]
				names = append(names, fmt.Sprintf("%s %s of %s (%s)", head.Kind, head.Metadata.Name, file, events))
			}
		}
	}
	return names
}

// hookHead is the beginning of an object with the annotation of hooks; nil for another one.
func hookHead(entry string) *releaseutil.SimpleHead {
	var head releaseutil.SimpleHead
	// What is not YAML is an error of SortManifests.
	if yaml.Unmarshal([]byte(entry), &head) != nil || head.Metadata == nil {
		return nil
	}
	if _, ok := head.Metadata.Annotations[helmrelease.HookAnnotation]; !ok {
		return nil
	}
	return &head
}

// takeNotes removes the notes from the texts, and returns those of the chart itself.
func takeNotes(chrt *chart.Chart, texts map[string]string) string {
	const suffix = "NOTES.txt"
	notes := texts[path.Join(chrt.Name(), "templates", suffix)]
	for name := range texts {
		if strings.HasSuffix(name, suffix) {
			delete(texts, name)
		}
	}
	return notes
}

func sortedKeys(set map[string]bool) []string {
	keys := make([]string, 0, len(set))
	for key := range set {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
