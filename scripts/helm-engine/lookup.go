package main

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// lookups answers `lookup` from the request, else asks the host, and collects what the host does not answer in time.
type lookups struct {
	known map[string]map[string]any
	asked map[string]bool
}

func newLookups(known map[string]map[string]any) *lookups {
	if known == nil {
		known = map[string]map[string]any{}
	}
	return &lookups{known: known, asked: map[string]bool{}}
}

func (l *lookups) unanswered() []string { return sortedKeys(l.asked) }

// GetClientFor answers every kind. The namespace is part of the question; the host ignores it for cluster-scoped kinds.
func (l *lookups) GetClientFor(apiVersion, kind string) (dynamic.NamespaceableResourceInterface, bool, error) {
	return &kindLookup{lookups: l, apiVersion: apiVersion, kind: kind}, true, nil
}

type kindLookup struct {
	*lookups
	apiVersion, kind, namespace string
}

func (k *kindLookup) Namespace(namespace string) dynamic.ResourceInterface {
	return &kindLookup{lookups: k.lookups, apiVersion: k.apiVersion, kind: k.kind, namespace: namespace}
}

func (k *kindLookup) Get(_ context.Context, name string, _ metav1.GetOptions, _ ...string) (dynamic.Object, error) {
	return k.find(name)
}

func (k *kindLookup) List(_ context.Context, _ metav1.ListOptions) (dynamic.Object, error) {
	return k.find("")
}

func (k *kindLookup) find(name string) (dynamic.Object, error) {
	key := strings.Join([]string{k.apiVersion, k.kind, k.namespace, name}, "|")
	found := k.answer(key)
	if found == nil {
		return nil, apierrors.NewNotFound(schema.GroupResource{Resource: k.kind}, name)
	}
	return dynamic.Object(found), nil
}

// answer is what the request, or the host, answers to a key; nil also for what is unknown.
func (l *lookups) answer(key string) map[string]any {
	if found, isKnown := l.known[key]; isKnown {
		return found
	}
	// After one late answer, all are found together, and the chart is rendered again.
	if len(l.asked) == 0 {
		if found, isKnown := askHost(key); isKnown {
			l.known[key] = found
			return found
		}
	}
	l.asked[key] = true
	return nil
}
