package main

import (
	"encoding/json"
	"unsafe"
)

// findObject asks the host for the object or list of a lookup. It returns the size of its JSON, 0 for what does not exist, and
// less than 0 if the host does not answer now.
//
//go:wasmimport host findObject
func findObject(key string) int32

// readObject copies the JSON of the last findObject.
//
//go:wasmimport host readObject
func readObject(at unsafe.Pointer)

// useVariant makes the host give the random bytes and the time of a variant from now on.
//
//go:wasmimport host useVariant
func useVariant(at int32)

// askHost is the answer of the host to a lookup; nil for what does not exist.
func askHost(key string) (found map[string]any, isKnown bool) {
	size := findObject(key)
	if size <= 0 {
		return nil, size == 0
	}
	text := make([]byte, size)
	readObject(unsafe.Pointer(&text[0]))
	return found, json.Unmarshal(text, &found) == nil
}
