// Is added to Helm's package engine: counts the calls of functions whose result is not the same each time.
package engine

import (
	"reflect"
	"regexp"
	"text/template"
)

// Draws counts the calls since it was set to 0.
var Draws int

// Functions of dates take the present time for anything but a date, so all calls of them count.
var drawing = regexp.MustCompile(`^(rand|gen|uuid|now$|ago$|date$|dateInZone$|date_in_zone$|htmlDate|durationRound$|shuffle$|htpasswd$|bcrypt$|encryptAES$)`)

// counted counts the calls of those functions.
func counted(all template.FuncMap) template.FuncMap {
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
