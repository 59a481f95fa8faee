// schema-table prints what the Go types of the built-in kinds say about their JSON and protobuf forms, as the
// TypeScript table apiserver/schema/table.ts. The embedded API server and the simulated vcluster read it.
// Run ./generate after moving to another Kubernetes version.
package main

import (
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	resource "k8s.io/api/resource/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// scalars are the types that have a JSON form of their own.
var scalars = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "microTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "json",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intOrString",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    "json",
	"k8s.io/apimachinery/pkg/runtime.Object":          "json",

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         "anything",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "schemaOrList",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "schemaOrBool",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "schemaOrStrings",
}

type table struct {
	structs map[string][]string
}

func main() {
	scheme := runtime.NewScheme()
	add := []func(*runtime.Scheme) error{
		admissionregistration.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme, apps.AddToScheme, authentication.AddToScheme, authorization.AddToScheme,
		autoscalingv1.AddToScheme, autoscalingv2.AddToScheme, batch.AddToScheme, certificates.AddToScheme,
		coordination.AddToScheme, core.AddToScheme, discovery.AddToScheme, events.AddToScheme, flowcontrol.AddToScheme, networking.AddToScheme, node.AddToScheme,
		policy.AddToScheme, rbac.AddToScheme, resource.AddToScheme, scheduling.AddToScheme, storage.AddToScheme,
	}
	for _, f := range add {
		if err := f(scheme); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	t := &table{structs: map[string][]string{}}
	kinds := map[string]string{}
	for gvk, typ := range scheme.AllKnownTypes() {
		// Kinds without metadata of an object (options, lists, events of a watch) are not objects.
		meta, ok := typ.FieldByName("ObjectMeta")
		if gvk.Version == "__internal" || !ok || meta.Type.Name() != "ObjectMeta" {
			continue
		}
		kinds[gvk.GroupVersion().String()+"/"+gvk.Kind] = t.describe(typ)
	}
	t.print(kinds)
}

func (t *table) print(kinds map[string]string) {
	fmt.Println("// Made by test/go/schema-table from k8s.io/api, k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator v0.36.3; do not edit.")
	fmt.Println()
	fmt.Println("/** The type of each built-in kind, by `apiVersion/kind`. */")
	fmt.Println("export const kindTypes: Readonly<Record<string, string>> = {")
	for _, kind := range sorted(kinds) {
		fmt.Printf("  '%s': '%s',\n", kind, strings.TrimPrefix(kinds[kind], "#"))
	}
	fmt.Println("}")
	fmt.Println()
	fmt.Println("/**")
	fmt.Println(" * The fields of each type, one word each: `name:number:type`, then flags: `mergeKey=…` or `set` where lists")
	fmt.Println(" * are merged, `keep` without `omitempty`, so that an empty value is written out, `omitzero` where Go leaves out a zero")
	fmt.Println(" * value of any type, `retainKeys` where a patch lists what stays,")
	fmt.Println(" * `replace` where it puts an object in the place of another.")
	fmt.Println(" * `number` is the protobuf field, `^` as the name means that the fields of the type stand in its place, `*`,")
	fmt.Println(" * `[]` and `{}` before a type are a pointer, a list and a map, `#` is another type of this table, and")
	fmt.Println(" * `<…>` before a type is the name that Go has for it.")
	fmt.Println(" */")
	fmt.Println("export const structFields: Readonly<Record<string, string>> = {")
	for _, name := range sorted(t.structs) {
		fmt.Printf("  '%s': '%s',\n", name, strings.Join(t.structs[name], " "))
	}
	fmt.Println("}")
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// describe names a type as the table does, and describes the structs it is made of.
func (t *table) describe(typ reflect.Type) string {
	full := typ.PkgPath() + "." + typ.Name()
	if name, ok := scalars[full]; ok {
		return name
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return "*" + t.describe(typ.Elem())
	case reflect.String:
		return goName(typ) + "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32, reflect.Int64, reflect.Int:
		return "int"
	case reflect.Uint8:
		return "int"
	case reflect.Float64:
		return "float"
	case reflect.Map:
		return goName(typ) + "{}" + t.describe(typ.Elem())
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return goName(typ) + "[]" + t.describe(typ.Elem())
	case reflect.Struct:
		return "#" + t.describeStruct(typ)
	case reflect.Interface:
		return "json"
	}
	panic("no name for " + full)
}

// goName is how errors of Go's decoder name a type that has a name of its own.
func goName(typ reflect.Type) string {
	if typ.PkgPath() == "" {
		return ""
	}
	return "<" + typ.String() + ">"
}

func (t *table) describeStruct(typ reflect.Type) string {
	parts := strings.Split(typ.PkgPath(), "/")
	name := parts[len(parts)-2] + "/" + parts[len(parts)-1] + "." + typ.Name()
	if _, done := t.structs[name]; done {
		return name
	}
	t.structs[name] = nil
	for i := range typ.NumField() {
		if field, ok := t.describeField(typ.Field(i)); ok {
			t.structs[name] = append(t.structs[name], field)
		}
	}
	return name
}

func (t *table) describeField(field reflect.StructField) (string, bool) {
	json := strings.Split(field.Tag.Get("json"), ",")
	proto := strings.Split(field.Tag.Get("protobuf"), ",")
	if len(proto) < 2 || json[0] == "-" {
		return "", false
	}
	name := json[0]
	if name == "" {
		name = "^"
	}
	word := name + ":" + proto[1] + ":" + t.describe(field.Type)
	if field.Tag.Get("patchStrategy") != "" && strings.Contains(field.Tag.Get("patchStrategy"), "merge") {
		if key := field.Tag.Get("patchMergeKey"); key != "" {
			word += ":mergeKey=" + key
		} else {
			word += ":set"
		}
	}
	if name != "^" && !strings.Contains(field.Tag.Get("json"), ",omitempty") {
		word += ":keep"
	}
	if strings.Contains(field.Tag.Get("json"), ",omitzero") {
		word += ":omitzero"
	}
	if field.Tag.Get("patchStrategy") == "replace" {
		word += ":replace"
	}
	if strings.Contains(field.Tag.Get("patchStrategy"), "retainKeys") {
		word += ":retainKeys"
	}
	return word, true
}
