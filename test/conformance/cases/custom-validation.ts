import type { Case, CaseGroup } from '../case.js'
import { define } from '../custom-resource.js'

const schemas = 'Kubernetes documentation, CustomResourceDefinitions, "Validation"'
const lists = 'KEP-2732; x-kubernetes-list-type'

interface Wrong {
  readonly name: string
  readonly source?: string
  /** The schema of `spec.a`. */
  readonly schema: object
  /** The value of `spec.a`; default none. */
  readonly value?: unknown
  /** Members of the schema of `spec` in addition to its properties. */
  readonly around?: object
  readonly because: readonly string[]
}

const invalid = (message: string, field = 'spec.a') => `${field}: Invalid value: ${message}`

/** One invalid value, and its error. */
function refuses({ name, source = schemas, schema, value, around = {}, because }: Wrong): Case {
  return {
    name,
    source,
    async run(client) {
      const cars = await define(client, { spec: { type: 'object', properties: { a: schema }, ...around } })
      const answer = await cars.create('x', { spec: value === undefined ? {} : { a: value } })
      client.expect.invalid(answer, { kind: 'Car', group: cars.group, name: 'x', because })
    },
  }
}

/** A string for which a backtracking matcher would need exponential time. */
const long = `${'a'.repeat(2000)}!`
const exponential = '^(a+)+$'

/** The errors of schemas of custom resources. */
export const customValidation: CaseGroup = {
  name: 'custom-validation',
  cases: [
    refuses({
      name: 'a string is not an integer',
      schema: { type: 'integer' },
      value: 'many',
      because: [invalid('"string": spec.a in body must be of type integer: "string"')],
    }),
    refuses({
      name: 'a fraction is not an integer',
      schema: { type: 'integer' },
      value: 1.5,
      because: [
        invalid('"number": spec.a in body must be of type integer: "number"'),
        invalid('"": Checked value must be of type integer (default format) in spec.a', '<nil>'),
      ],
    }),
    refuses({
      name: 'an integer has the range of its format',
      schema: { type: 'integer', format: 'int32' },
      value: 3_000_000_000,
      because: [invalid('"": Checked value must be of type integer with format int32 in spec.a', '<nil>')],
    }),
    refuses({
      name: 'a maximum must be in the range of the format, or no value is valid',
      schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 4294967295 },
      value: 64512,
      because: [
        invalid('"": Maximum boundary value must be of type integer with format int32 in spec.a', '<nil>'),
      ],
    }),
    refuses({
      name: 'a maximum above the largest number of 64 bits, to which JSON rounds that number, fits no value',
      schema: { type: 'integer', maximum: 2 ** 63 },
      value: 1,
      because: [
        invalid('"": Maximum boundary value must be of type integer (default format) in spec.a', '<nil>'),
      ],
    }),
    refuses({
      name: 'the smallest number of 64 bits is rounded, and cannot be a bound either',
      schema: { type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 53 },
      value: 2 ** 53 + 2,
      because: [
        invalid('"": Minimum boundary value must be of type integer (default format) in spec.a', '<nil>'),
        invalid('9007199254740994: spec.a in body should be less than or equal to 9007199254740992'),
      ],
    }),
    refuses({
      name: 'bounds and factors of integers must be whole',
      schema: { type: 'integer', minimum: 0.5, multipleOf: 0.5 },
      value: 0,
      because: [
        invalid('"": MultipleOf value must be of type integer (default format) in spec.a', '<nil>'),
        invalid('"": Minimum boundary value must be of type integer (default format) in spec.a', '<nil>'),
        invalid('0: spec.a in body should be greater than or equal to 0.5'),
      ],
    }),
    refuses({
      name: 'a required field must exist',
      schema: { type: 'string' },
      around: { required: ['a'] },
      because: ['spec.a: Required value'],
    }),
    refuses({
      name: 'a value must be in the enum',
      schema: { type: 'string', enum: ['red', 'blue'] },
      value: 'green',
      because: ['spec.a: Unsupported value: "green": supported values: "red", "blue"'],
    }),
    refuses({
      name: 'a string must match its pattern',
      schema: { type: 'string', pattern: '^[a-z]+$' },
      value: 'ABC',
      because: [invalid(`"ABC": spec.a in body should match '^[a-z]+$'`)],
    }),
    refuses({
      name: 'an ambiguous pattern takes linear time',
      source: 'Go, regexp: "guaranteed to run in time linear in the size of the input"',
      schema: { type: 'string', pattern: exponential },
      value: long,
      because: [invalid(`"${long}": spec.a in body should match '${exponential}'`)],
    }),
    refuses({
      name: 'a string has a maximum length',
      schema: { type: 'string', maxLength: 2 },
      value: 'abc',
      because: ['spec.a: Too long: may not be more than 2 bytes'],
    }),
    refuses({
      name: 'a string has a minimum length',
      schema: { type: 'string', minLength: 2 },
      value: 'a',
      because: [invalid('"a": spec.a in body should be at least 2 chars long')],
    }),
    refuses({
      name: 'a number has a minimum',
      schema: { type: 'integer', minimum: 1 },
      value: 0,
      because: [invalid('0: spec.a in body should be greater than or equal to 1')],
    }),
    refuses({
      name: 'a number has an exclusive maximum',
      schema: { type: 'integer', maximum: 10, exclusiveMaximum: true },
      value: 10,
      because: [invalid('10: spec.a in body should be less than 10')],
    }),
    refuses({
      name: 'a number must be a multiple',
      schema: { type: 'integer', multipleOf: 3 },
      value: 4,
      because: [invalid('4: spec.a in body should be a multiple of 3')],
    }),
    refuses({
      name: 'a string must have its format',
      schema: { type: 'string', format: 'date-time' },
      value: 'yesterday',
      because: [invalid('"yesterday": spec.a in body must be of type date-time: "yesterday"')],
    }),
    refuses({
      name: 'an int-or-string is nothing else',
      schema: { 'x-kubernetes-int-or-string': true },
      value: true,
      because: [invalid('"boolean": spec.a in body must be of type integer,string: "boolean"')],
    }),
    refuses({
      name: 'values of a map must have their type',
      schema: { type: 'object', additionalProperties: { type: 'string' } },
      value: { b: 1 },
      because: [invalid('"integer": spec.a.b in body must be of type string: "integer"', 'spec.a.b')],
    }),
    refuses({
      name: 'a map has a maximum number of members',
      schema: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 1 },
      value: { b: '1', c: '2' },
      because: ['spec.a: Too many: 2: must have at most 1 item'],
    }),
    refuses({
      name: 'elements of a list must have their type',
      schema: { type: 'array', items: { type: 'string' } },
      value: ['b', 1],
      because: [invalid('"integer": spec.a[1] in body must be of type string: "integer"', 'spec.a[1]')],
    }),
    refuses({
      name: 'a list has a minimum length',
      schema: { type: 'array', items: { type: 'string' }, minItems: 1 },
      value: [],
      because: [invalid('0: spec.a in body should have at least 1 items')],
    }),
    refuses({
      name: 'a list has a maximum length',
      schema: { type: 'array', items: { type: 'string' }, maxItems: 1 },
      value: ['b', 'c'],
      because: ['spec.a: Too many: 2: must have at most 1 item'],
    }),
    refuses({
      name: 'a set has no duplicates',
      source: lists,
      schema: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      value: ['b', 'c', 'b'],
      because: ['spec.a[2]: Duplicate value: "b"'],
    }),
    refuses({
      name: 'a map list has no duplicate keys, including defaults',
      source: lists,
      schema: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port', 'protocol'],
        items: {
          type: 'object',
          required: ['port'],
          properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
        },
      },
      value: [{ port: 1, protocol: 'TCP' }, { port: 1 }],
      because: ['spec.a[1]: Duplicate value: {"port":1,"protocol":"TCP"}'],
    }),
    refuses({
      name: 'oneOf needs exactly one match',
      schema: {
        type: 'object',
        properties: { b: { type: 'string' }, c: { type: 'string' } },
        oneOf: [{ required: ['b'] }, { required: ['c'] }],
      },
      value: { b: '1', c: '2' },
      because: [
        invalid(
          '"": "spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
          '<nil>',
        ),
      ],
    }),
    refuses({
      name: 'anyOf needs at least one match',
      schema: {
        type: 'object',
        properties: { b: { type: 'string' }, c: { type: 'string' } },
        anyOf: [{ required: ['b'] }, { required: ['c'] }],
      },
      value: {},
      because: [
        invalid('"": "spec.a" must validate at least one schema (anyOf)', '<nil>'),
        'spec.a.b: Required value',
      ],
    }),
    refuses({
      name: 'not this',
      schema: { type: 'string', not: { enum: ['bad'] } },
      value: 'bad',
      because: [invalid('"": "spec.a" must not validate the schema (not)', '<nil>')],
    }),
    refuses({
      name: 'an embedded object needs kind and version',
      schema: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      value: { kind: 'Pod' },
      because: ['spec.a.apiVersion: Required value'],
    }),
    {
      name: 'a status is validated without its spec, with paths relative to the status',
      source: 'k8s.io/apiextensions-apiserver pkg/registry/customresource/status_strategy.go @ v0.36.3',
      async run(client) {
        const status = { type: 'object', properties: { seats: { type: 'integer' } } }
        const cars = await define(client, {
          properties: { status },
          version: { subresources: { status: {} } },
        })
        await cars.make('x', { spec: {} })
        const body = { status: { seats: 'many' } }
        const answer = await client.patch(`${cars.path('x')}/status`, 'merge', body)
        client.expect.invalid(answer, {
          kind: 'Car',
          group: cars.group,
          name: 'x',
          because: [invalid('"string": seats in body must be of type integer: "string"', 'status.seats')],
        })
      },
    },
    {
      name: 'a value that was valid before a schema change may stay until it changes',
      source: 'KEP-4008, CRD validation ratcheting',
      async run(client) {
        const schemaWith = (a: object) => ({ type: 'object', properties: { a, b: { type: 'string' } } })
        const cars = await define(client, { spec: schemaWith({ type: 'string' }) })
        await cars.make('x', { spec: { a: 'long' } })
        const version = { name: 'v1', served: true, storage: true }
        const openAPIV3Schema = {
          type: 'object',
          properties: { spec: schemaWith({ type: 'string', maxLength: 2 }) },
        }
        const patch = { spec: { versions: [{ ...version, schema: { openAPIV3Schema } }] } }
        await client.patch(`customresourcedefinitions/${cars.definition}`, 'merge', patch)
        await client.until('the new schema is in effect', async () => {
          const { status } = await cars.create('y', { spec: { a: 'long' } })
          return status === 422
        })
        client.expect.answer(await cars.patch('x', { spec: { b: 'new' } }), 200)
        client.expect.answer(await cars.patch('x', { spec: { a: 'longer' } }), 422)
      },
    },
  ],
}
