import type { Case, CaseGroup } from '../case.js'
import { define } from '../custom-resource.js'

const converter = 'k8s.io/kube-openapi pkg/schemaconv/openapi.go'
const open = { 'x-kubernetes-preserve-unknown-fields': true }
const text = { type: 'object', properties: { text: { type: 'string' } } }

interface Applied {
  /** The schema of `spec`. */
  readonly schema: object
  readonly spec: object
  /** The stored part; default all. */
  readonly kept?: object
  /** The fields that the manager owns. */
  readonly owned: object
}

/** An apply of undeclared members inside a field that preserves them; another manager then shares them. */
function applies(name: string, { schema, spec, kept = spec, owned }: Applied): Case {
  return {
    name,
    source: converter,
    async run(client) {
      const car = await define(client, { spec: schema })
      const body = { apiVersion: `${car.group}/v1`, kind: 'Car', metadata: { name: 'a' }, spec }
      const first = await client.patch(`${car.path('a')}?fieldManager=first`, 'apply', body)
      const managedFields = [{ manager: 'first', fieldsV1: { 'f:spec': owned } }]
      client.expect.answer(first, 201, { spec: kept, metadata: { managedFields } })
      const { metadata: _metadata, spec: _spec, ...nothing } = { ...body }
      const gone = await client.patch(`${car.path('a')}?fieldManager=first`, 'apply', {
        ...nothing,
        metadata: { name: 'a' },
      })
      client.expect.answer(gone, 200, { spec: undefined, metadata: { managedFields: undefined } })
    },
  }
}

/** Members inside `x-kubernetes-preserve-unknown-fields`, and inside objects without properties. */
export const customOpen: CaseGroup = {
  name: 'custom-open',
  cases: [
    applies('undeclared members can be applied where they are preserved', {
      schema: { type: 'object', ...open, properties: { known: { type: 'string' } } },
      spec: { known: 'a', other: { list: [1, { deep: 2 }] } },
      owned: { 'f:known': {}, 'f:other': { '.': {}, 'f:list': {} } },
    }),
    applies('undeclared members of a declared object inside are pruned and owned', {
      schema: { type: 'object', ...open, properties: { inner: text } },
      spec: { inner: { text: 'a', more: 1 }, other: { b: 1 } },
      kept: { inner: { text: 'a', more: undefined }, other: { b: 1 } },
      owned: { 'f:inner': { 'f:text': {}, 'f:more': {} }, 'f:other': { '.': {}, 'f:b': {} } },
    }),
    applies('undeclared members of the elements of a list inside are pruned', {
      schema: { type: 'object', ...open, properties: { list: { type: 'array', items: text } } },
      spec: { list: [{ text: 'a', more: 1 }] },
      kept: { list: [{ text: 'a', more: undefined }] },
      owned: { 'f:list': {} },
    }),
    applies('undeclared members of the elements of a map list inside are owned', {
      schema: {
        type: 'object',
        ...open,
        properties: {
          list: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          },
        },
      },
      spec: { list: [{ name: 'a', more: { b: 1 } }] },
      kept: { list: [{ name: 'a', more: undefined }] },
      owned: {
        'f:list': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:more': { '.': {}, 'f:b': {} } } },
      },
    }),
    applies('undeclared members of the values of a map inside are owned', {
      schema: {
        type: 'object',
        ...open,
        properties: { map: { type: 'object', additionalProperties: text } },
      },
      spec: { map: { a: { text: 'a', more: 1 } } },
      kept: { map: { a: { text: 'a', more: undefined } } },
      owned: { 'f:map': { 'f:a': { '.': {}, 'f:text': {}, 'f:more': {} } } },
    }),
    applies('members of an object without properties are pruned and owned', {
      schema: { type: 'object', properties: { empty: { type: 'object' } } },
      spec: { empty: { more: 1 } },
      kept: { empty: { more: undefined } },
      owned: { 'f:empty': { 'f:more': {} } },
    }),
    {
      name: 'members that are neither declared nor preserved cannot be applied',
      source: converter,
      async run(client) {
        const car = await define(client, { spec: text })
        const apiVersion = `${car.group}/v1`
        const body = { apiVersion, kind: 'Car', metadata: { name: 'a' }, spec: { more: 1 } }
        client.expect.refused(await client.patch(`${car.path('a')}?fieldManager=first`, 'apply', body), {
          code: 500,
          message: `failed to create typed patch object (/a; ${apiVersion}, Kind=Car): .spec.more: field not declared in schema`,
        })
      },
    },
  ],
}
