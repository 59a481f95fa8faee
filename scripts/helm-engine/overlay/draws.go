// Is added to Helm's package engine: counts the calls of functions whose result is not the same each time, and gives
// others an order.
package engine

import (
	"reflect"
	"regexp"
	"sort"
	"text/template"
)

// Draws counts the calls since it was set to 0.
var Draws int

// Functions of dates take the present time for anything but a date, so all calls of them count.
var drawing = regexp.MustCompile(`^(rand|gen|uuid|now$|ago$|date$|dateInZone$|date_in_zone$|htmlDate|durationRound$|shuffle$|htpasswd$|bcrypt$|encryptAES$)`)

// counted counts the calls of those functions, and sorts what others return in the order of a Go map.
func counted(all template.FuncMap) template.FuncMap {
	all["keys"] = sortedKeys
	all["values"] = sortedValues
	for name, function := range all {
		if drawing.MatchString(name) {
			all[name] = countedFunction(reflect.ValueOf(function))
		}
	}
	return all
}

func countedFunction(function reflect.Value) any {
	call := function.Call
	if function.Type().IsVariadic() {
		call = function.CallSlice
	}
	return reflect.MakeFunc(function.Type(), func(arguments []reflect.Value) []reflect.Value {
		Draws++
		return call(arguments)
	}).Interface()
}

// sortedKeys returns the keys of each dictionary, sorted.
func sortedKeys(dictionaries ...map[string]any) []string {
	keys := []string{}
	for _, one := range dictionaries {
		from := len(keys)
		for key := range one {
			keys = append(keys, key)
		}
		sort.Strings(keys[from:])
	}
	return keys
}

// sortedValues returns the values of a dictionary by their sorted keys.
func sortedValues(dictionary map[string]any) []any {
	values := []any{}
	for _, key := range sortedKeys(dictionary) {
		values = append(values, dictionary[key])
	}
	return values
}
