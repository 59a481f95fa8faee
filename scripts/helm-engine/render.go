package main

import (
	"bytes"
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
	req, files, err := unpacked(input)
	if err != nil {
		return failed("request", err)
	}
	look := newLookups(req.Lookups)
	chrt, texts, stage, err := rendered(req, files, look)
	out = answer{Asked: look.unanswered(), Draws: engine.Draws}
	if err != nil {
		out.Error, out.Stage = err.Error(), stage
		return out
	}
	// The host asks again, and needs nothing else.
	if len(out.Asked) > 0 && !req.IsLastRound {
		return out
	}
	releaseutil.Converted = map[string][]byte{}
	defer func() { releaseutil.Converted = nil }()
	out.Chart = withoutFiles(chrt)
	if err := addSorted(&out.rendering, chrt, texts, nil); err != nil {
		out.Error, out.Stage = err.Error(), "sort"
		return out
	}
	if err := addDefinitions(&out, chrt, req.KnownCRDs); err != nil {
		out.Error, out.Stage = err.Error(), "sort"
		return out
	}
	if out.Draws > 0 {
		addVariants(&out, req, files, look)
	}
	return out
}

// rendered loads and renders a chart. Templates may change the chart and the values, so each rendering has its own.
func rendered(
	req *request, files []*loader.BufferedFile, look *lookups,
) (chrt *chart.Chart, texts map[string]string, stage string, err error) {
	engine.Draws = 0
	chrt, err = loader.LoadFiles(files)
	if err != nil {
		return nil, nil, "load", err
	}
	values, stage, err := renderValues(req, chrt)
	if err != nil {
		return chrt, nil, stage, err
	}
	texts, err = engine.RenderWithClientProvider(chrt, values, look)
	return chrt, texts, "render", err
}

// addVariants renders the chart again with other random bytes and times of the host. It stops at one that fails or asks for
// more objects: the host can render it alone.
func addVariants(out *answer, req *request, files []*loader.BufferedFile, look *lookups) {
	places := map[string]int{}
	for at, text := range out.documentTexts {
		places[text] = at
	}
	for at := range req.Variants {
		useVariant(int32(at))
		chrt, texts, _, err := rendered(req, files, look)
		if err != nil || len(look.asked) > len(out.Asked) {
			return
		}
		var variant rendering
		if addSorted(&variant, chrt, texts, places) != nil {
			return
		}
		out.Variants = append(out.Variants, variant)
	}
}

// withoutFiles is a chart as releases store it, without the files, which the host has.
func withoutFiles(chrt *chart.Chart) *chart.Chart {
	rest := *chrt
	rest.Templates, rest.Files, rest.Schema = nil, nil, nil
	return &rest
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

// addSorted adds the rendered texts to the answer: notes, hooks, and objects in install order. Documents whose place is known are
// not added once more.
func addSorted(out *rendering, chrt *chart.Chart, texts map[string]string, places map[string]int) error {
	out.Notes = takeNotes(chrt, texts)
	hooks, manifests, err := releaseutil.SortManifests(texts, nil, releaseutil.InstallOrder)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, manifest := range manifests {
		fmt.Fprintf(&text, "---\n# Source: %s\n%s\n", manifest.Name, manifest.Content)
		out.add(manifest.Name, manifest.Content, places)
	}
	for _, hook := range hooks {
		out.add(hook.Path, hook.Manifest, places)
	}
	out.Manifest, out.texts = text.Len(), append([][]byte{text.Bytes()}, out.texts...)
	out.Hooks, out.LeftOut = hooks, leftOut(texts, hooks)
	return nil
}

// add adds the JSON of a document whose head was read.
func (out *rendering) add(source, text string, places map[string]int) {
	out.documentTexts = append(out.documentTexts, text)
	if place, isKnown := places[text]; isKnown {
		out.Documents = append(out.Documents, document{Source: source, Length: len(text), Same: &place})
		return
	}
	found := releaseutil.Converted[text]
	out.texts = append(out.texts, found)
	out.Documents = append(out.Documents, document{Source: source, Size: len(found), Length: len(text)})
}

// addDefinitions adds the files in `crds/`, and the documents of those that the host does not know.
func addDefinitions(out *answer, chrt *chart.Chart, known []string) error {
	for _, definition := range chrt.CRDObjects() {
		name := definition.Filename
		out.CRDs = append(out.CRDs, name)
		if slices.Contains(known, name) {
			continue
		}
		for _, text := range releaseutil.Documents(string(definition.File.Data)) {
			found, err := yaml.YAMLToJSON([]byte(text + "\n"))
			if err != nil {
				return fmt.Errorf("%s does not render to YAML: %s", name, err)
			}
			out.texts = append(out.texts, found)
			out.CRDDocuments = append(out.CRDDocuments, document{Source: name, Size: len(found), Length: len(text)})
		}
	}
	return nil
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
			if isHook[file+"\n"+entries[key]] || !strings.Contains(entries[key], helmrelease.HookAnnotation) {
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
