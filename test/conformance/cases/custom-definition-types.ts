import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { type Definition, define, definitionOf } from '../custom-resource.js'

const source =
  'k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1/types.go, types_jsonschema.go, marshal.go @ v0.36.3'
const text = { type: 'string' }

const create = (client: CaseClient, definition: Definition, query = '') =>
  client.post(`customresourcedefinitions${query}`, definitionOf(client, definition))

/** A definition that Go's decoder rejects. */
function mismatches(name: string, definition: Definition, problem: string): Case {
  return {
    name,
    source,
    async run(client) {
      const message = `CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: ${problem}`
      client.expect.refused(await create(client, definition), { code: 400, reason: 'BadRequest', message })
    },
  }
}

const into = (field: string, type: string, found: string) =>
  `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`
const spec = (members: object) => ({ spec: { type: 'object', properties: { a: members } } })

/** Nested deeper than Go allows. */
const nested = `${'('.repeat(1001)}a${')'.repeat(1001)}`

const triedPatterns: readonly (readonly [pattern: string, problem: string])[] = [
  ['(a', 'missing closing ): `(a`'],
  ['a)', 'unexpected ): `a)`'],
  ['[a-', 'missing closing ]: `[a-`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['a{3,2}', 'invalid repeat count: `{3,2}`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['^(?!b)', 'invalid or unsupported Perl syntax: `(?!`'],
  ['(?=b)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  ['a\\', 'trailing backslash at end of expression: ``'],
  ['(?<=a)b', 'invalid named capture: `(?<=a)b`'],
  ['(?i', 'invalid or unsupported Perl syntax: `(?i`'],
  ['\\p{Foo}', 'invalid character class range: `\\p{Foo}`'],
  ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
  ['((a{100}){100}){100}', 'invalid repeat count: `{100}`'],
  ['\\uFFFF', 'invalid escape sequence: `\\u`'],
  [nested, `expression nests too deeply: \`${nested}\``],
]

const refusesPattern: Case = {
  name: 'a pattern must be valid in Go, and an error has Go’s text',
  source: 'Go, regexp/syntax',
  async run(client) {
    const properties = Object.fromEntries(
      triedPatterns.map(([pattern], at) => [`f${at}`, { ...text, pattern }]),
    )
    const answer = await create(client, { spec: { type: 'object', properties } })
    const found = answer.body.details as { causes?: { field: string; message: string }[] } | undefined
    const told = triedPatterns.map(([pattern], at) => {
      const cause = found?.causes?.find(({ field }) => field.endsWith(`[f${at}].pattern`))
      return [pattern, /but isn't: error parsing regexp: (.*)$/s.exec(cause?.message ?? '')?.[1]]
    })
    client.expect.same(told, triedPatterns)
  },
}

const takesPattern: Case = {
  name: 'a pattern may use syntax that Go has and JavaScript does not',
  source: 'Go, regexp/syntax',
  async run(client) {
    const patterns = [
      '^[[:alpha:]]+$',
      '(?i)^ABC$',
      '^\\pL+\\z',
      '\\Aab',
      '^(?P<a>a)b',
      '^(?P<a>[\\pL])(?P<a>b)',
    ]
    const properties = Object.fromEntries(patterns.map((pattern, at) => [`f${at}`, { ...text, pattern }]))
    const cars = await define(client, { spec: { type: 'object', properties } })
    const good = Object.fromEntries(patterns.map((_, at) => [`f${at}`, 'abc']))
    client.expect.answer(await cars.create('x', { spec: good }), 201)
    const bad = Object.fromEntries(patterns.map((_, at) => [`f${at}`, '1']))
    const { body } = await cars.create('y', { spec: bad })
    client.expect.same((body.details as { causes?: unknown[] }).causes?.length, patterns.length)
  },
}

/** The Go types of a CustomResourceDefinition. */
export const customDefinitionTypes: CaseGroup = {
  name: 'custom-definition-types',
  cases: [
    refusesPattern,
    takesPattern,
    mismatches(
      'the type of a field is a string',
      spec({ type: 5 }),
      into(
        'JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties.type',
        'string',
        'number',
      ),
    ),
    mismatches(
      'the length of a string is an integer',
      spec({ type: 'string', maxLength: 'many' }),
      into(
        'JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties.maxLength',
        'int64',
        'string',
      ),
    ),
    mismatches(
      'required is a list',
      spec({ type: 'object', required: 'a' }),
      into(
        'JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties.required',
        '[]string',
        'string',
      ),
    ),
    mismatches(
      'minimum is a number',
      spec({ type: 'integer', minimum: 'one' }),
      into(
        'JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties.minimum',
        'float64',
        'string',
      ),
    ),
    mismatches(
      'nullable is a boolean',
      spec({ type: 'string', nullable: 'yes' }),
      into(
        'JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties.nullable',
        'bool',
        'string',
      ),
    ),
    mismatches(
      'additionalProperties is a schema or a boolean',
      spec({ type: 'object', additionalProperties: 'any' }),
      'boolean or JSON schema expected',
    ),
    mismatches(
      'nested schemas are checked, too',
      spec({ type: 'array', items: { type: 5 } }),
      into(
        'JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties.items.type',
        'string',
        'number',
      ),
    ),
    mismatches(
      'a rule is an object of strings',
      spec({ type: 'string', 'x-kubernetes-validations': [{ rule: 1 }] }),
      into(
        'ValidationRule.spec.versions.schema.openAPIV3Schema.properties.properties.x-kubernetes-validations.rule',
        'string',
        'number',
      ),
    ),
    mismatches(
      'served is a boolean',
      { version: { served: 'yes' } },
      into('CustomResourceDefinitionVersion.spec.versions.served', 'bool', 'string'),
    ),
    mismatches(
      'a short name is a string',
      { names: { shortNames: [1] } },
      into('CustomResourceDefinitionNames.spec.names.shortNames', 'string', 'number'),
    ),
    {
      name: 'unknown fields are dropped at any depth',
      source,
      async run(client) {
        const a = { ...text, unknown: 1, additionalProperties: { ...text, unknown: 2 } }
        const definition = {
          spec: { type: 'object', properties: { a: { ...a, additionalProperties: undefined } }, deep: true },
        }
        const { body } = await create(client, { ...definition, version: { color: 'red' } })
        const schema = { type: 'object', properties: { spec: { type: 'object', properties: { a: text } } } }
        const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }
        client.expect.same((body.spec as { versions: unknown }).versions, [version])
      },
    },
    {
      name: 'empty values are omitted, except Go pointers',
      source,
      async run(client) {
        const a = { ...text, nullable: false, description: '', maxLength: 0, default: '', enum: [''] }
        const b = { type: 'object', additionalProperties: false }
        const { body } = await create(client, {
          spec: { type: 'object', properties: { a, b }, required: [] },
        })
        const properties = { a: { ...text, maxLength: 0, default: '', enum: [''] }, b }
        client.expect.has(body.spec, {
          versions: [
            { schema: { openAPIV3Schema: { properties: { spec: { type: 'object', properties } } } } },
          ],
        })
        client.expect.ok(!JSON.stringify(body.spec).includes('nullable'), 'false is omitted')
      },
    },
    {
      name: 'unknown fields are an error with strict validation',
      source: 'KEP-2885, server-side unknown field validation',
      async run(client) {
        const version = { color: 'red' }
        const answer = await create(
          client,
          { ...spec({ ...text, unknown: 1 }), version },
          '?fieldValidation=Strict',
        )
        const message =
          'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: strict decoding error: unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.unknown", unknown field "spec.versions[0].color"'
        client.expect.refused(answer, { code: 400, reason: 'BadRequest', message })
      },
    },
    {
      name: 'an unknown member of a schema in items is dropped silently',
      source,
      async run(client) {
        const definition = spec({ type: 'array', items: { ...text, strange: 1 } })
        const answer = await create(client, definition, '?fieldValidation=Strict')
        client.expect.answer(answer, 201)
        client.expect.ok(!answer.text.includes('"strange"'), 'it is dropped')
      },
    },
    {
      name: 'an apply owns the versions as a whole, and removes what it no longer contains',
      source: 'KEP-555, server-side apply',
      async run(client) {
        const body = definitionOf(client) as { metadata: { name: string }; spec: object }
        const path = `customresourcedefinitions/${body.metadata.name}?fieldManager=a`
        const typed = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...body }
        const named = {
          ...typed,
          spec: { ...body.spec, names: { plural: 'cars', kind: 'Car', shortNames: ['cr'] } },
        }
        client.expect.answer(await client.patch(path, 'apply', named), 201)
        const { metadata } = (await client.patch(path, 'apply', typed)).body
        const managed = metadata.managedFields as { manager: string; fieldsV1: object }[]
        const { fieldsV1 } = managed.find(({ manager }) => manager === 'a') ?? {}
        client.expect.same(fieldsV1, {
          'f:spec': {
            'f:group': {},
            'f:names': { 'f:kind': {}, 'f:plural': {} },
            'f:scope': {},
            'f:versions': {},
          },
        })
      },
    },
    {
      name: 'a strategic merge patch replaces the versions',
      source: 'Kubernetes documentation, "Use a strategic merge patch"',
      async run(client) {
        const body = definitionOf(client) as { metadata: { name: string } }
        await client.make('customresourcedefinitions', body)
        const path = `customresourcedefinitions/${body.metadata.name}`
        const patch = { spec: { names: { shortNames: ['cr'] } } }
        client.expect.answer(await client.patch(path, 'strategic', patch), 200, {
          spec: { names: { plural: 'cars', shortNames: ['cr'] } },
        })
      },
    },
  ],
}
