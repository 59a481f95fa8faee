// Replaces chartutil's own file of this name, which imports an HTTP client and TLS. The rules are the same; a schema that
// refers to another by URL is refused, because nothing may be fetched here.
package chartutil

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"helm.sh/helm/v3/pkg/chart"
)

const schemaURL = "file:///values.schema.json"

// URNResolverFunc finds the schema that a URN names.
type URNResolverFunc func(urn string) (any, error)

// URNResolver finds none by itself.
var URNResolver URNResolverFunc = func(urn string) (any, error) {
	return nil, fmt.Errorf("no schema is known as %s", urn)
}

// JSONSchemaValidationError says what values break which rule.
type JSONSchemaValidationError struct{ problem error }

func (e JSONSchemaValidationError) Error() string {
	head := "jsonschema validation failed with '" + schemaURL + "#'\n"
	return strings.TrimPrefix(e.problem.Error(), head) + "\n"
}

type nothingFetched struct{}

func (nothingFetched) Load(url string) (any, error) {
	return nil, fmt.Errorf("the schema refers to %s, and nothing is fetched; put it into values.schema.json", url)
}

type urns struct{}

// Load accepts any value for an unknown name, as Helm does.
func (urns) Load(urn string) (any, error) {
	if known, err := URNResolver(urn); err == nil && known != nil {
		return known, nil
	}
	return true, nil
}

// ValidateAgainstSchema checks the values of a chart, and of those below it.
func ValidateAgainstSchema(chrt *chart.Chart, values map[string]any) error {
	var problems strings.Builder
	if chrt.Schema != nil {
		if err := ValidateAgainstSingleSchema(values, chrt.Schema); err != nil {
			problems.WriteString(chrt.Name() + ":\n" + err.Error())
		}
	}
	for _, below := range chrt.Dependencies() {
		given, there := values[below.Name()]
		if !there || given == nil {
			continue
		}
		table, isTable := given.(map[string]any)
		if !isTable {
			fmt.Fprintf(&problems, "%s:\ninvalid type for values: expected object (map), got %T\n", below.Name(), given)
			continue
		}
		if err := ValidateAgainstSchema(below, table); err != nil {
			problems.WriteString(err.Error())
		}
	}
	if problems.Len() > 0 {
		return errors.New(problems.String())
	}
	return nil
}

// ValidateAgainstSingleSchema checks values by one schema.
func ValidateAgainstSingleSchema(values Values, schemaJSON []byte) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("unable to validate schema: %s", problem)
		}
	}()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaJSON))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	none := nothingFetched{}
	compiler.UseLoader(jsonschema.SchemeURLLoader{"file": none, "http": none, "https": none, "urn": urns{}})
	if err := compiler.AddResource(schemaURL, schema); err != nil {
		return err
	}
	validator, err := compiler.Compile(schemaURL)
	if err != nil {
		return err
	}
	if err := validator.Validate(values.AsMap()); err != nil {
		return JSONSchemaValidationError{err}
	}
	return nil
}
