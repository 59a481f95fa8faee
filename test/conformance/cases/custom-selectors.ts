import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { type CustomResource, define, definitionOf } from '../custom-resource.js'

const source =
  'KEP-4358; Kubernetes documentation, CustomResourceDefinitions, "Field selectors for custom resources"'

const spec = {
  type: 'object',
  properties: {
    color: { type: 'string' },
    seats: { type: 'integer' },
    open: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
}
const selectable = (...paths: readonly string[]) => ({
  selectableFields: paths.map((jsonPath) => ({ jsonPath })),
})

const carSpecs = {
  a: { color: 'red', seats: 2, open: true },
  b: { color: 'blue', seats: 4, open: false },
  c: { seats: 4 },
}

/** Three cars with different fields. */
async function threeCars(client: CaseClient): Promise<CustomResource> {
  const version = selectable('.spec.color', '.spec.seats', '.spec.open')
  const cars = await define(client, { spec, version })
  for (const [name, fields] of Object.entries(carSpecs)) await cars.make(name, { spec: fields })
  return cars
}

const query = (selector: string) => `?fieldSelector=${encodeURIComponent(selector)}`

/** The cars that each selector matches. */
function finds(name: string, selectors: Readonly<Record<string, readonly string[]>>): Case {
  return {
    name,
    source,
    async run(client) {
      const cars = await threeCars(client)
      for (const [selector, names] of Object.entries(selectors)) {
        const { items = [] } = await client.read(`${cars.path()}${query(selector)}`)
        client.expect.same([selector, ...items.map(({ metadata }) => metadata.name)], [selector, ...names])
      }
    },
  }
}

const fieldsPath = 'spec.selectableFields'
const invalid = 'FieldValueInvalid'

/** Field selectors for custom resources. */
export const customSelectors: CaseGroup = {
  name: 'custom-selectors',
  cases: [
    finds('strings, integers and booleans are matched by their text', {
      'spec.color=red': ['a'],
      'spec.color!=red': ['b', 'c'],
      'spec.seats=4': ['b', 'c'],
      'spec.open=false': ['b'],
    }),
    finds('a missing field matches the empty text', { 'spec.color=': ['c'], 'spec.open=': ['c'] }),
    finds('all requirements must match', {
      'spec.seats=4,spec.color=blue': ['b'],
      'metadata.name=a,spec.seats=4': [],
    }),
    {
      name: 'a field that is not selectable is rejected',
      source,
      async run(client) {
        const cars = await threeCars(client)
        const message = 'field label not supported: spec.tags'
        const answer = await client.get(`${cars.path()}${query('spec.tags=a')}`)
        client.expect.refused(answer, { code: 400, reason: 'BadRequest', message })
      },
    },
    {
      name: 'without selectable fields there are name and namespace',
      source,
      async run(client) {
        const cars = await define(client, { spec })
        await cars.make('a', { spec: {} })
        const message = 'field label not supported: spec.color'
        const answer = await client.get(`${cars.path()}${query('spec.color=a')}`)
        client.expect.refused(answer, { code: 400, reason: 'BadRequest', message })
        const { items } = await client.read(`${cars.path()}${query('metadata.name=a')}`)
        client.expect.has(items, [{ metadata: { name: 'a' } }])
      },
    },
    {
      name: 'an object that starts to match is added to a watch, and deleted when it no longer matches',
      source,
      async run(client) {
        const cars = await threeCars(client)
        const { metadata } = await client.read(cars.path())
        const watch = await cars.watch(
          `fieldSelector=spec.color%3Dgreen&resourceVersion=${metadata.resourceVersion}`,
        )
        await cars.patch('a', { spec: { color: 'green' } })
        await cars.patch('a', { spec: { seats: 3 } })
        await cars.patch('a', { spec: { color: 'red' } })
        const events = await watch.take(3)
        client.expect.same(
          events.map(({ type, object }) => [type, object.metadata.name]),
          [
            ['ADDED', 'a'],
            ['MODIFIED', 'a'],
            ['DELETED', 'a'],
          ],
        )
      },
    },
    {
      name: 'a collection can be deleted by a field selector',
      source,
      async run(client) {
        const cars = await threeCars(client)
        client.expect.answer(await client.delete(`${cars.path()}${query('spec.seats=4')}`), 200)
        const { items = [] } = await client.read(cars.path())
        client.expect.same(
          items.map(({ metadata }) => metadata.name),
          ['a'],
        )
      },
    },
    {
      name: 'the schema contains the selectable fields',
      source: 'k8s.io/apiextensions-apiserver pkg/controller/openapi/builder/builder.go @ v0.36.3',
      async run(client) {
        const cars = await threeCars(client)
        const path = `/openapi/v3/apis/${cars.group}/v1`
        const fields = ['spec.color', 'spec.seats', 'spec.open'].map((fieldPath) => ({ fieldPath }))
        await client.until('the schema exists', async () => {
          const { status, text } = await client.get(path)
          return status === 200 && text.includes('"spec.color"')
        })
        const { components } = (await client.get(path)).body as {
          components?: { schemas: Record<string, Record<string, unknown>> }
        }
        const schema = Object.entries(components?.schemas ?? {}).find(([name]) => name.endsWith('.Car'))?.[1]
        client.expect.same(schema?.['x-kubernetes-selectable-fields'], fields)
      },
    },
    {
      name: 'a selectable field is a declared string, integer or boolean outside the metadata, and not repeated',
      source,
      async run(client) {
        const version = selectable(
          '',
          'spec.color',
          '.spec.nope',
          '.spec.tags',
          '.spec',
          ".spec['color']",
          '.spec.color',
          '.spec.color',
          '.spec.labels.a',
        )
        const answer = await client.post('customresourcedefinitions', definitionOf(client, { spec, version }))
        const why =
          'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
        const causes = [
          { reason: 'FieldValueRequired', message: 'Required value', field: `${fieldsPath}[0].jsonPath` },
          ...[
            ['1', '"spec.color": is an invalid path: expected [ or . but got: spec'],
            ['2', '".spec.nope": is an invalid path: does not refer to a valid field'],
            ['3', `".spec.tags": ${why}`],
            ['4', `".spec": ${why}`],
            ['5', '".spec[\'color\']": is an invalid path: array notation is not allowed'],
          ].map(([at, message]) => ({
            reason: invalid,
            message: `Invalid value: ${message}`,
            field: `${fieldsPath}[${at}].jsonPath`,
          })),
          {
            reason: 'FieldValueDuplicate',
            message: 'Duplicate value: ".spec.color"',
            field: `${fieldsPath}[7].jsonPath`,
          },
        ]
        client.expect.answer(answer, 422, { details: { causes } })
      },
    },
    {
      name: 'eight fields may be selectable, but not nine',
      source,
      async run(client) {
        const names = Array.from({ length: 9 }, (_, at) => `f${at}`)
        const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
        const version = selectable(...names.map((name) => `.spec.${name}`))
        const body = definitionOf(client, { spec: { type: 'object', properties }, version })
        const answer = await client.post('customresourcedefinitions', body)
        const message = 'Too many: 9: must have at most 8 items'
        const causes = [{ reason: 'FieldValueTooMany', message, field: fieldsPath }]
        client.expect.answer(answer, 422, { details: { causes } })
      },
    },
  ],
}
