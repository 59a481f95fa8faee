import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { define } from '../custom-resource.js'

const docs = 'Kubernetes documentation, Extend the Kubernetes API with CustomResourceDefinitions'
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 5 },
        color: { type: 'string', default: 'red', enum: ['red', 'blue'] },
        name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
        replicas: { type: 'integer' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        either: { 'x-kubernetes-int-or-string': true },
        list: { type: 'array', maxItems: 2, items: { type: 'string' } },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } },
  },
}

/** The custom kind of a case, and the path of its objects. */
interface Kind {
  /** The name of the CustomResourceDefinition. */
  readonly name: string
  readonly group: string
  /** The path of the collection. */
  readonly path: string
  object(fields?: object): object
}

const definition = (group: string, version: object = {}) => ({
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wi'] },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
  },
})

/** Creates a kind that only this case uses, and waits until it is served. */
async function makeKind({ make, get, until, namespace }: CaseClient, version: object = {}): Promise<Kind> {
  const group = `${namespace}.example.com`
  await make('customresourcedefinitions', definition(group, version))
  const path = `/apis/${group}/v1/namespaces/${namespace}/widgets`
  await until('the kind is served', async () => (await get(path)).status === 200)
  const object = (fields: object = { spec: { size: 1 } }) => ({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: { name: 'a' },
    ...fields,
  })
  return { name: `widgets.${group}`, group, path, object }
}

const refuses = (name: string, spec: object, ...because: string[]): Case => ({
  name,
  source: `${docs}, "Validation"`,
  async run(client) {
    const { path, object, group } = await makeKind(client)
    const answer = await client.post(path, object({ spec }))
    client.expect.invalid(answer, { kind: 'Widget', group, name: 'a', because })
  },
})

/** Kinds that are created at run time. */
export const customResources: CaseGroup = {
  name: 'custom-resources',
  cases: [
    {
      name: 'OpenAPI v3 contains the schema of a custom resource',
      source: 'k8s.io/apiextensions-apiserver pkg/controller/openapi/builder/builder.go @ v0.36.3',
      async run(client) {
        const { get, until, expect, namespace } = client
        const { group } = await makeKind(client)
        const path = `/openapi/v3/apis/${group}/v1`
        await until('the document exists', async () => (await get(path)).status === 200)
        const { schemas } = (await get(path)).body.components as { schemas: Record<string, object> }
        const prefix = `com.example.${namespace}.v1`
        expect.has(schemas[`${prefix}.Widget`], {
          type: 'object',
          properties: {
            kind: { type: 'string', description: /^Kind is a string value/ },
            metadata: { allOf: [{ $ref: /ObjectMeta$/ }] },
            spec: {
              required: ['size'],
              properties: {
                size: { type: 'integer', minimum: 1, maximum: 5 },
                either: {
                  anyOf: [{ type: 'integer' }, { type: 'string' }],
                  'x-kubernetes-int-or-string': true,
                },
                free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
          'x-kubernetes-group-version-kind': [{ group, kind: 'Widget', version: 'v1' }],
        })
        expect.has(schemas[`${prefix}.WidgetList`], { description: 'WidgetList is a list of Widget' })
      },
    },
    {
      name: 'a definition is established, and its names are accepted',
      source: docs,
      async run(client) {
        const { name } = await makeKind(client)
        client.expect.has(await client.read(`customresourcedefinitions/${name}`), {
          spec: { conversion: { strategy: 'None' }, names: { listKind: 'WidgetList' } },
          status: {
            acceptedNames: { kind: 'Widget', plural: 'widgets' },
            storedVersions: ['v1'],
            conditions: [
              { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
              { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
            ],
          },
        })
      },
    },
    {
      name: 'discovery contains the new kind',
      source: docs,
      async run(client) {
        const { group } = await makeKind(client)
        const discovered = () => client.get(`/apis/${group}/v1`)
        // Objects may be served before the kind is in discovery.
        await client.until('discovery has the group', async () => (await discovered()).status === 200)
        client.expect.answer(await discovered(), 200, {
          kind: 'APIResourceList',
          resources: [
            { name: 'widgets', singularName: 'widget', kind: 'Widget', shortNames: ['wi'], namespaced: true },
          ],
        })
      },
    },
    {
      name: 'objects are created, read, listed, changed and deleted',
      source: docs,
      async run(client) {
        const { path, object, group } = await makeKind(client)
        client.expect.answer(await client.post(path, object()), 201, {
          kind: 'Widget',
          metadata: { generation: 1 },
        })
        client.expect.answer(await client.get(path), 200, {
          kind: 'WidgetList',
          items: [{ kind: 'Widget', apiVersion: `${group}/v1` }],
        })
        client.expect.answer(await client.patch(`${path}/a`, 'merge', { spec: { size: 2 } }), 200, {
          spec: { size: 2 },
          metadata: { generation: 2 },
        })
        client.expect.answer(await client.delete(`${path}/a`), 200, { kind: 'Status', status: 'Success' })
        client.expect.notFound(await client.get(`${path}/a`), `widgets.${group}`, 'a')
      },
    },
    {
      name: 'a watch reports them',
      source: docs,
      async run(client) {
        const { path, object } = await makeKind(client)
        const { body } = await client.get(path)
        const events = await client.watch(`${path}?resourceVersion=${body.metadata.resourceVersion}`)
        await client.post(path, object())
        client.expect.has(await events.next(), {
          type: 'ADDED',
          object: { kind: 'Widget', metadata: { name: 'a' } },
        })
      },
    },
    {
      name: 'fields that are not in the schema are pruned',
      source: `${docs}, "Field pruning"`,
      async run(client) {
        const { path, object } = await makeKind(client)
        const answer = await client.post(path, object({ spec: { size: 1, unknown: 'x' }, other: 1 }))
        client.expect.answer(answer, 201, { spec: { size: 1, unknown: undefined }, other: undefined })
      },
    },
    {
      name: 'preserved fields are kept with any content',
      source: `${docs}, "Controlling pruning"`,
      async run(client) {
        const { path, object } = await makeKind(client)
        const free = { any: [1, { thing: null }], n: 9_007_199_254_740_993n }
        const answer = await client.post(path, object({ spec: { size: 1, free } }))
        client.expect.answer(answer, 201, { spec: { free: { n: 9_007_199_254_740_993n } } })
      },
    },
    {
      name: 'defaults are set',
      source: `${docs}, "Defaulting"`,
      async run(client) {
        const { path, object } = await makeKind(client)
        client.expect.answer(await client.post(path, object()), 201, { spec: { size: 1, color: 'red' } })
      },
    },
    refuses('a required field is required', { color: 'red' }, 'spec.size: Required value'),
    refuses(
      'a number has bounds',
      { size: 9 },
      'spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5',
    ),
    refuses(
      'an integer is not a string',
      { size: 'big' },
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    ),
    refuses(
      'a value must be in the enum',
      { size: 1, color: 'green' },
      'spec.color: Unsupported value: "green": supported values: "red", "blue"',
    ),
    refuses(
      'a string must match its pattern',
      { size: 1, name: 'A' },
      'spec.name: Invalid value: "A": spec.name in body should match \'^[a-z]+$\'',
    ),
    refuses(
      'a string has a maximum length',
      { size: 1, name: 'abcdef' },
      'spec.name: Too long: may not be more than 5 bytes',
    ),
    refuses(
      'a list has a maximum length',
      { size: 1, list: ['a', 'b', 'c'] },
      'spec.list: Too many: 3: must have at most 2 items',
    ),
    {
      name: 'an int-or-string accepts both',
      source: docs,
      async run(client) {
        const { path, object } = await makeKind(client)
        for (const either of [1, '50%']) {
          const answer = await client.post(
            path,
            object({ metadata: { generateName: 'a-' }, spec: { size: 1, either } }),
          )
          client.expect.answer(answer, 201, { spec: { either } })
        }
      },
    },
    {
      name: 'an unknown field is rejected with strict validation',
      source: 'KEP-2885',
      async run(client) {
        const { path, object } = await makeKind(client)
        const body = object({ spec: { size: 1, unknown: 'x' } })
        client.expect.refused(await client.post(`${path}?fieldValidation=Strict`, body), {
          code: 400,
          reason: 'BadRequest',
          message:
            'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.unknown"',
        })
      },
    },
    {
      name: 'without a status subresource the status is an ordinary field',
      source: `${docs}, "Subresources"`,
      async run(client) {
        const { path, object } = await makeKind(client)
        const answer = await client.post(path, object({ spec: { size: 1 }, status: { phase: 'x' } }))
        client.expect.answer(answer, 201, { status: { phase: 'x' } })
        client.expect.answer(await client.get(`${path}/a/status`), 404)
      },
    },
    {
      name: 'with a status subresource the status is written at its own URL',
      source: `${docs}, "Status subresource"`,
      async run(client) {
        const { path, object } = await makeKind(client, { subresources: { status: {} } })
        const made = await client.post(path, object({ spec: { size: 1 }, status: { phase: 'x' } }))
        client.expect.answer(made, 201, { status: undefined })
        const status = await client.patch(`${path}/a/status`, 'merge', {
          spec: { size: 2 },
          status: { phase: 'y' },
        })
        client.expect.answer(status, 200, {
          spec: { size: 1 },
          status: { phase: 'y' },
          metadata: { generation: 1 },
        })
      },
    },
    {
      name: 'a scale subresource reads and writes the replicas',
      source: `${docs}, "Scale subresource"`,
      async run(client) {
        const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
        const { path, object } = await makeKind(client, { subresources: { status: {}, scale } })
        await client.post(path, object({ spec: { size: 1, replicas: 1 } }))
        client.expect.answer(await client.get(`${path}/a/scale`), 200, {
          kind: 'Scale',
          spec: { replicas: 1 },
        })
        const answer = await client.patch(`${path}/a/scale`, 'merge', { spec: { replicas: 3 } })
        client.expect.answer(answer, 200, { spec: { replicas: 3 } })
        client.expect.answer(await client.get(`${path}/a`), 200, { spec: { replicas: 3 } })
      },
    },
    {
      name: 'printer columns are the columns of its table',
      source: `${docs}, "Additional printer columns"`,
      async run(client) {
        const additionalPrinterColumns = [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
        ]
        const { path, object } = await makeKind(client, { additionalPrinterColumns })
        await client.post(path, object())
        const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
        client.expect.answer(await client.get(path, { headers }), 200, {
          columnDefinitions: [
            { name: 'Name' },
            { name: 'Size', priority: 0 },
            { name: 'Color', priority: 1 },
          ],
          rows: [{ cells: ['a', 1, 'red'] }],
        })
      },
    },
    {
      name: 'without printer columns the table has name and age',
      source: docs,
      async run(client) {
        const { path, object } = await makeKind(client)
        await client.post(path, object())
        const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
        client.expect.answer(await client.get(path, { headers }), 200, {
          columnDefinitions: [{ name: 'Name' }, { name: 'Age' }],
          rows: [{ cells: ['a', /^\d+s$/] }],
        })
      },
    },
    {
      name: 'a custom resource does not support strategic merge patches',
      source: 'k8s.io/apiextensions-apiserver pkg/apiserver/customresource_handler.go @ v0.36.3',
      async run(client) {
        const { path, object } = await makeKind(client)
        await client.post(path, object())
        client.expect.refused(await client.patch(`${path}/a`, 'strategic', { spec: { size: 2 } }), {
          code: 415,
          reason: 'UnsupportedMediaType',
          message:
            'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
        })
      },
    },
    {
      name: 'an update of a custom resource needs its resourceVersion',
      source: 'k8s.io/apiextensions-apiserver pkg/registry/customresource/strategy.go @ v0.36.3',
      async run(client) {
        const { path, object, group } = await makeKind(client)
        await client.post(path, object())
        client.expect.invalid(await client.put(`${path}/a`, object()), {
          kind: 'widgets',
          group,
          name: 'a',
          because: ['metadata.resourceVersion: Invalid value: 0: must be specified for an update'],
        })
      },
    },
    {
      name: 'a custom resource is applied',
      source: 'KEP-555',
      async run(client) {
        const { path, object } = await makeKind(client)
        const answer = await client.patch(`${path}/a?fieldManager=one`, 'apply', object())
        client.expect.answer(answer, 201, { spec: { size: 1, color: 'red' } })
      },
    },
    {
      name: 'two versions show the same object',
      source: 'Kubernetes documentation, Versions in CustomResourceDefinitions',
      async run({ make, get, post, until, namespace, expect }) {
        const group = `${namespace}.example.com`
        const given = definition(group)
        const [first] = given.spec.versions
        const versions = [first, { ...first, name: 'v1beta1', storage: false }]
        await make('customresourcedefinitions', { ...given, spec: { ...given.spec, versions } })
        const path = (version: string) => `/apis/${group}/${version}/namespaces/${namespace}/widgets`
        await until('both are served', async () => (await get(path('v1beta1'))).status === 200)
        const body = {
          apiVersion: `${group}/v1beta1`,
          kind: 'Widget',
          metadata: { name: 'a' },
          spec: { size: 1 },
        }
        expect.answer(await post(path('v1beta1'), body), 201, { apiVersion: `${group}/v1beta1` })
        expect.answer(await get(`${path('v1')}/a`), 200, { apiVersion: `${group}/v1`, spec: { size: 1 } })
      },
    },
    {
      name: 'the name of a definition consists of its plural and group',
      source: 'k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go @ v0.36.3',
      async run({ post, namespace, expect }) {
        const given = definition(`${namespace}.example.com`)
        const answer = await post('customresourcedefinitions', {
          ...given,
          metadata: { name: 'other.example.com' },
        })
        expect.answer(answer, 422, {
          reason: 'Invalid',
          details: {
            causes: [
              {
                field: 'metadata.name',
                message: `Invalid value: "other.example.com": must be spec.names.plural+"."+spec.group`,
              },
            ],
          },
        })
      },
    },
    {
      name: 'a definition needs a schema',
      source: 'k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go @ v0.36.3',
      async run({ post, namespace, expect }) {
        const group = `${namespace}.example.com`
        const answer = await post('customresourcedefinitions', definition(group, { schema: undefined }))
        expect.invalid(answer, {
          kind: 'CustomResourceDefinition',
          group: 'apiextensions.k8s.io',
          name: `widgets.${group}`,
          because: ['spec.versions[0].schema.openAPIV3Schema: Required value'],
        })
      },
    },
    {
      name: 'objects are deleted with their definition, and its paths are removed',
      source: `${docs}, "Delete a CustomResourceDefinition"`,
      async run(client) {
        const { path, name, object } = await makeKind(client)
        await client.post(path, object())
        client.expect.answer(await client.delete(`customresourcedefinitions/${name}`), 200)
        await client.until('the path is removed', async () => (await client.get(path)).status === 404)
      },
    },
    {
      name: 'an apply that leaves out the last entry of a map makes it null, which the type refuses',
      source: 'sigs.k8s.io/structured-merge-diff typed/remove.go @ v6.3.3',
      async run(client) {
        const values = { type: 'object', additionalProperties: { type: 'integer' } }
        const nullable = { ...values, nullable: true }
        const status = { type: 'object', properties: { values, nullable } }
        const cars = await define(client, {
          properties: { status, spec: status },
          version: { subresources: { status: {} } },
        })
        const apiVersion = `${cars.group}/v1`
        const apply = (part: 'spec' | 'status', content: object | undefined) =>
          client.patch(
            `${cars.path('x')}${part === 'status' ? '/status' : ''}?fieldManager=m-${part}`,
            'apply',
            { apiVersion, kind: 'Car', metadata: { name: 'x' }, ...(content && { [part]: content }) },
          )
        for (const part of ['spec', 'status'] as const) {
          const both = { values: { a: 1 }, nullable: { a: 1 } }
          client.expect.answer(await apply(part, both), part === 'spec' ? 201 : 200, { [part]: both })
          const emptied = await apply(part, { ...both, values: {} })
          client.expect.answer(emptied, 422, {
            details: {
              causes: [
                {
                  reason: 'FieldValueTypeInvalid',
                  message: `Invalid value: "null": ${part === 'spec' ? 'spec.' : ''}values in body must be of type object: "null"`,
                  field: `${part}.values`,
                },
              ],
            },
          })
          client.expect.answer(await apply(part, { ...both, nullable: {} }), 200, {
            [part]: { values: { a: 1 }, nullable: null },
          })
          client.expect.answer(await apply(part, {}), 422)
          client.expect.answer(await apply(part, undefined), 200, { [part]: undefined })
        }
      },
    },
    {
      name: 'a patch of the status ignores the UID',
      source: 'k8s.io/apiextensions-apiserver pkg/registry/customresource/status_strategy.go @ v0.36.3',
      async run(client) {
        const status = { type: 'object', properties: { seats: { type: 'integer' } } }
        const cars = await define(client, {
          properties: { status },
          version: { subresources: { status: {} } },
        })
        const { metadata } = await cars.make('x', {})
        const uid = '11111111-2222-4333-8444-555555555555'
        const path = `${cars.path('x')}/status`
        const answer = await client.patch(path, 'merge', { metadata: { uid }, status: { seats: 1 } })
        client.expect.answer(answer, 200, { metadata: { uid: metadata.uid }, status: { seats: 1 } })
        const applied = { apiVersion: `${cars.group}/v1`, kind: 'Car', metadata: { name: 'x', uid } }
        const second = await client.patch(`${path}?fieldManager=m`, 'apply', {
          ...applied,
          status: { seats: 1 },
        })
        client.expect.answer(second, 200, { metadata: { uid: metadata.uid } })
        client.expect.answer(await client.patch(cars.path('x'), 'merge', { metadata: { uid } }), 422)
      },
    },
    {
      name: 'a path without the scope of the kind is served only for reads of all namespaces',
      source: 'k8s.io/apiextensions-apiserver pkg/apiserver/customresource_handler.go @ v0.36.3',
      async run(client) {
        const { cluster, expect, namespace } = client
        const { group, object } = await makeKind(client)
        const path = `/apis/${group}/v1/widgets`
        const body = JSON.stringify(object())
        const headers = { 'content-type': 'application/json' }
        for (const [method, where] of [
          ['POST', path],
          ['DELETE', path],
          ['PUT', path],
          ['GET', `${path}/a`],
        ] as const) {
          const sent = method === 'GET' ? {} : { body, headers }
          const { status, text } = await cluster.request({ method, path: where, ...sent })
          expect.same({ method, status, text }, { method, status: 404, text: '404 page not found\n' })
        }
        expect.answer(await client.get(path), 200)
        const clusterScoped = definition(`${namespace}-c.example.com`)
        const name = `widgets.${namespace}-c.example.com`
        const spec = { ...clusterScoped.spec, group: `${namespace}-c.example.com`, scope: 'Cluster' }
        await client.make('customresourcedefinitions', { metadata: { name }, spec })
        const whole = `/apis/${namespace}-c.example.com/v1/widgets`
        await client.until('the kind is served', async () => (await client.get(whole)).status === 200)
        const { status, text } = await client.get(whole.replace('widgets', `namespaces/${namespace}/widgets`))
        expect.same([status, text], [404, '404 page not found\n'])
        await client.delete(`customresourcedefinitions/${name}`)
      },
    },
  ],
}
