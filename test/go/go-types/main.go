// go-types prints how encoding/json sees the Go types of the kinds that vcluster's hooks are about: for each struct its
// members in their order, and of each what it is in Go:
//
//	*T  a pointer   []T  a list   {}T  a map   …?  omitempty   …!  omitzero
//
// The names of types with a JSON form of their own are those in ownForm; "bytes" is a []byte.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

var roots = []any{
	corev1.Pod{}, corev1.Service{}, corev1.Secret{}, corev1.ConfigMap{}, corev1.PersistentVolumeClaim{},
	networkingv1.Ingress{},
}

var ownForm = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "json",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intOrString",
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// structs holds the members of each struct, pairs of name and type in their order.
var structs = map[string][][2]string{}

func main() {
	for _, root := range roots {
		describe(reflect.TypeOf(root))
	}
	printTable()
}

// printTable prints JSON, an object's members in the order of the struct's.
func printTable() {
	rows := []string{}
	for _, name := range slices.Sorted(maps.Keys(structs)) {
		members := []string{}
		for _, member := range structs[name] {
			members = append(members, fmt.Sprintf("    %q: %q", member[0], member[1]))
		}
		rows = append(rows, fmt.Sprintf("  %q: {\n%s\n  }", name, strings.Join(members, ",\n")))
	}
	fmt.Printf("{\n%s\n}\n", strings.Join(rows, ",\n"))
}

func describe(t reflect.Type) string {
	if form, ok := ownForm[t.PkgPath()+"."+t.Name()]; ok {
		return form
	}
	if t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(unmarshaler) {
		panic(fmt.Sprintf("%s reads JSON in its own way: add it to ownForm", t))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + describe(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + describe(t.Elem())
	case reflect.Map:
		return "{}" + describe(t.Elem())
	case reflect.Struct:
		return describeStruct(t)
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "int"
	}
	panic(fmt.Sprintf("%s is not expected in an object", t))
}

func describeStruct(t reflect.Type) string {
	name := t.Name()
	if _, known := structs[name]; !known {
		structs[name] = nil // Before its members: a type may contain itself.
		structs[name] = members(t)
	}
	return name
}

func members(t reflect.Type) [][2]string {
	all := [][2]string{}
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			all = append(all, members(field.Type)...)
			continue
		}
		all = append(all, [2]string{name, describe(field.Type) + flags(options)})
	}
	return all
}

func flags(options string) string {
	flags := ""
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			flags += "?"
		case "omitzero":
			flags += "!"
		}
	}
	return flags
}
