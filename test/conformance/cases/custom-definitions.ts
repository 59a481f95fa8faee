import type { CaseGroup } from '../case.js'
import { define, definitionOf } from '../custom-resource.js'

const definitions = 'Kubernetes documentation, CustomResourceDefinitions'
const versioning = 'Kubernetes documentation, CustomResourceDefinition versioning'
const structural = 'KEP-1111, structural schemas'
const naming = 'k8s.io/apiextensions-apiserver pkg/controller/status/naming_controller.go @ v0.36.3'
const finalizing = 'k8s.io/apiextensions-apiserver pkg/controller/finalizer/crd_finalizer.go @ v0.36.3'
const tables = 'k8s.io/apiextensions-apiserver pkg/registry/customresource/tableconvertor @ v0.36.3'
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const text = { type: 'string' }
const schemaOf = (properties: object) => ({
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
})
const condition = (type: string, status: string, reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
})

/** How custom resources are served, changed and removed, and how their objects are read and written. */
export const customDefinitions: CaseGroup = {
  name: 'custom-definitions',
  cases: [
    {
      name: 'a definition is established with its names',
      source: naming,
      async run(client) {
        const cars = await define(client, { names: { shortNames: ['cr'] } })
        const name = `customresourcedefinitions/${cars.definition}`
        await client.until('it is established', async () =>
          (await client.get(name)).text.includes('InitialNamesAccepted'),
        )
        const names = {
          plural: 'cars',
          singular: 'car',
          kind: 'Car',
          listKind: 'CarList',
          shortNames: ['cr'],
        }
        client.expect.has(await client.read(name), {
          spec: { names, conversion: { strategy: 'None' } },
          status: {
            conditions: [
              condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found'),
              condition(
                'Established',
                'True',
                'InitialNamesAccepted',
                'the initial names have been accepted',
              ),
            ],
            acceptedNames: names,
            storedVersions: ['v1'],
          },
        })
      },
    },
    {
      name: 'a kind that the group already has is not served twice',
      source: naming,
      async run(client) {
        await define(client)
        const second = definitionOf(client, { names: { singular: 'lorry' } }, 'lorries')
        const { metadata } = await client.make('customresourcedefinitions', second)
        const name = `customresourcedefinitions/${metadata.name}`
        await client.until('its names are checked', async () =>
          (await client.get(name)).text.includes('NotAccepted'),
        )
        client.expect.has(await client.read(name), {
          status: {
            conditions: [
              condition('NamesAccepted', 'False', 'ListKindConflict', '"CarList" is already in use'),
              condition('Established', 'False', 'NotAccepted', 'not all names are accepted'),
            ],
            acceptedNames: { plural: 'lorries', singular: 'lorry', kind: '' },
          },
        })
      },
    },
    {
      name: 'discovery contains a resource and its subresources',
      source: definitions,
      async run(client) {
        const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
        const cars = await define(client, {
          names: { shortNames: ['cr'], categories: ['fleet'] },
          version: { subresources: { status: {}, scale } },
        })
        const path = `/apis/${cars.group}/v1`
        await client.until('discovery contains it', async () => (await client.get(path)).status === 200)
        const part = { singularName: '', namespaced: true, verbs: ['get', 'patch', 'update'] }
        client.expect.has(await client.read(path), {
          groupVersion: `${cars.group}/v1`,
          resources: [
            { name: 'cars', singularName: 'car', kind: 'Car', shortNames: ['cr'], categories: ['fleet'] },
            { ...part, name: 'cars/status', kind: 'Car' },
            { ...part, name: 'cars/scale', group: 'autoscaling', version: 'v1', kind: 'Scale' },
          ],
        })
      },
    },
    {
      name: 'the preferred version of a group is the most stable and newest one',
      source: `${versioning}, "Version priority"`,
      async run(client) {
        const version = (name: string, storage: boolean) => ({ name, served: true, storage, ...schemaOf({}) })
        const cars = await define(client, {
          versions: [version('v1beta1', false), version('v1', true), version('v2alpha1', false)],
        })
        const path = `/apis/${cars.group}`
        await client.until('discovery contains it', async () => (await client.get(path)).status === 200)
        const told = (name: string) => ({ groupVersion: `${cars.group}/${name}`, version: name })
        client.expect.has(await client.read(path), {
          versions: [told('v1'), told('v1beta1'), told('v2alpha1')],
          preferredVersion: told('v1'),
        })
      },
    },
    {
      name: 'fields that are not in the schema are dropped',
      source: `${definitions}, "Field pruning"`,
      async run(client) {
        const inner = { type: 'object', properties: { known: text } }
        const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
        const cars = await define(client, { spec: { type: 'object', properties: { inner, free } } })
        const spec = { inner: { known: 'a', other: 1 }, free: { other: { deep: 1 } }, extra: true }
        const made = await cars.make('x', { spec, extra: 1 })
        client.expect.same(made.spec, { inner: { known: 'a' }, free: { other: { deep: 1 } } })
        client.expect.same(made.extra, undefined)
      },
    },
    {
      name: 'dropped fields are an error with strict validation',
      source: 'KEP-2885, server side unknown field validation',
      async run(client) {
        const cars = await define(client, { spec: { type: 'object', properties: { a: text } } })
        const body = { metadata: { name: 'x' }, spec: { b: 1 } }
        const typed = { apiVersion: `${cars.group}/v1`, kind: 'Car', ...body }
        client.expect.refused(await client.post(`${cars.path()}?fieldValidation=Strict`, typed), {
          code: 400,
          reason: 'BadRequest',
          message:
            'Car in version "v1" cannot be handled as a Car: strict decoding error: unknown field "spec.b"',
        })
      },
    },
    {
      name: 'missing fields of existing parents get defaults',
      source: `${definitions}, "Defaulting"`,
      async run(client) {
        const size = { type: 'string', default: 'small' }
        const inner = { type: 'object', properties: { depth: { type: 'integer', default: 3 } } }
        const properties = { size, inner, given: { ...inner, default: {} } }
        const cars = await define(client, { spec: { type: 'object', properties } })
        const made = await cars.make('x', { spec: {} })
        client.expect.same(made.spec, { given: { depth: 3 }, size: 'small' })
      },
    },
    {
      name: 'a null becomes the default, or is removed if it is not allowed',
      source: `${definitions}, "Defaulting and Nullable"`,
      async run(client) {
        const properties = { a: { ...text, default: 'd' }, b: text, c: { ...text, nullable: true } }
        const cars = await define(client, { spec: { type: 'object', properties } })
        const made = await cars.make('x', { spec: { a: null, b: null, c: null } })
        client.expect.same(made.spec, { a: 'd', c: null })
      },
    },
    {
      name: 'a null at the top is removed too, also if it is required',
      source: `${definitions}, "Defaulting and Nullable"`,
      async run(client) {
        const spec = { type: 'object', properties: { a: text } }
        const cars = await define(client, { spec })
        const made = await cars.make('x', { spec: null })
        client.expect.same('spec' in made, false)
        const answer = await client.patch(cars.path('x'), 'merge', { spec: { a: '1' } })
        client.expect.answer(answer, 200, { spec: { a: '1' } })
        client.expect.same(
          'spec' in (await client.put(cars.path('x'), { ...answer.body, spec: null })).body,
          false,
        )
      },
    },
    {
      name: 'existing objects are read with later defaults',
      source: `${definitions}, "Defaulting"`,
      async run(client) {
        const cars = await define(client, { spec: { type: 'object', properties: { a: text } } })
        const before = await cars.make('x', { spec: { a: 'q' } })
        const properties = { a: text, b: { ...text, default: 'late' } }
        const versions = [{ name: 'v1', served: true, storage: true, ...schemaOf(properties) }]
        await client.patch(`customresourcedefinitions/${cars.definition}`, 'merge', { spec: { versions } })
        await client.until('the new schema is in effect', async () =>
          (await client.get(cars.path('x'))).text.includes('late'),
        )
        const after = await cars.read('x')
        client.expect.same(after.spec, { a: 'q', b: 'late' })
        client.expect.same(after.metadata.resourceVersion, before.metadata.resourceVersion)
      },
    },
    {
      name: 'every version shows the same object',
      source: versioning,
      async run(client) {
        const cars = await define(client, {
          versions: [
            { name: 'v1', served: true, storage: true, ...schemaOf({ a: text, b: text }) },
            { name: 'v2', served: true, storage: false, ...schemaOf({ a: text }) },
          ],
        })
        await cars.make('x', { spec: { a: '1', b: '2' } })
        await client.until(
          'v2 is served',
          async () => (await client.get(cars.path('x', 'v2'))).status === 200,
        )
        const other = await cars.read('x', 'v2')
        client.expect.has(other, { apiVersion: `${cars.group}/v2`, kind: 'Car' })
        client.expect.same(other.spec, { a: '1' })
        client.expect.same((await cars.read('x')).spec, { a: '1', b: '2' })
      },
    },
    {
      name: 'a write that changes nothing is stored if the storage version is another one now',
      source: `${versioning}, "Upgrade existing objects to a new stored version"`,
      async run(client) {
        const version = (name: string, storage: boolean) => ({
          name,
          served: true,
          storage,
          ...schemaOf({ a: text }),
        })
        const cars = await define(client, { versions: [version('v1', true), version('v2', false)] })
        const made = await cars.make('x', { spec: { a: '1' } })
        const write = async () => (await cars.patch('x', { spec: { a: '1' } })).body.metadata.resourceVersion
        client.expect.same(await write(), made.metadata.resourceVersion)
        const definition = `customresourcedefinitions/${cars.definition}`
        const patch = { spec: { versions: [version('v1', false), version('v2', true)] } }
        await client.patch(definition, 'merge', patch)
        await client.until(
          'the write is stored',
          async () => (await write()) !== made.metadata.resourceVersion,
        )
        const now = (await cars.read('x')).metadata.resourceVersion
        client.expect.same(await write(), now)
        const { status } = await client.read(definition)
        client.expect.has(status, { storedVersions: ['v1', 'v2'] })
      },
    },
    {
      name: 'a version that is not served is an unknown path',
      source: versioning,
      async run(client) {
        const cars = await define(client, {
          versions: [
            { name: 'v1', served: true, storage: true, ...schemaOf({}) },
            { name: 'v2', served: false, storage: false, ...schemaOf({}) },
          ],
        })
        const { status, text } = await client.get(cars.path('', 'v2'))
        client.expect.same([status, text], [404, '404 page not found\n'])
      },
    },
    {
      name: 'the status can be written only at its own URL, and does not change the generation',
      source: `${definitions}, "Status subresource"`,
      async run(client) {
        const properties = { status: { type: 'object', properties: { phase: text } } }
        const cars = await define(client, { properties, version: { subresources: { status: {} } } })
        const made = await cars.make('x', { spec: { a: 1 }, status: { phase: 'no' } })
        client.expect.same(made.status, undefined)
        const body = { metadata: { labels: { a: 'b' } }, spec: { a: 2 }, status: { phase: 'yes' } }
        const answer = await client.patch(`${cars.path('x')}/status`, 'merge', body)
        client.expect.answer(answer, 200, { spec: { a: 1 }, status: { phase: 'yes' } })
        client.expect.has(answer.body.metadata, { generation: 1, labels: undefined })
        const after = await cars.patch('x', { spec: { a: 3 }, status: { phase: 'no' } })
        client.expect.answer(after, 200, { metadata: { generation: 2 }, status: { phase: 'yes' } })
      },
    },
    {
      name: 'a subresource that the definition does not have is not found',
      source: definitions,
      async run(client) {
        const cars = await define(client)
        await cars.make('x', { spec: {} })
        client.expect.refused(await client.get(`${cars.path('x')}/status`), {
          code: 404,
          reason: 'NotFound',
          message: `cars.${cars.group} "x" not found`,
          details: { name: 'x', group: cars.group, kind: 'cars' },
        })
      },
    },
    {
      name: 'scale uses the paths of the definition',
      source: `${definitions}, "Scale subresource"`,
      async run(client) {
        const scale = {
          specReplicasPath: '.spec.wheels',
          statusReplicasPath: '.status.wheels',
          labelSelectorPath: '.status.selector',
        }
        const properties = { status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
        const cars = await define(client, { properties, version: { subresources: { status: {}, scale } } })
        await cars.make('x', { spec: { wheels: 4 } })
        const status = { wheels: 3, selector: 'a=b' }
        await client.patch(`${cars.path('x')}/status`, 'merge', { status })
        client.expect.answer(await client.get(`${cars.path('x')}/scale`), 200, {
          kind: 'Scale',
          apiVersion: 'autoscaling/v1',
          spec: { replicas: 4 },
          status: { replicas: 3, selector: 'a=b' },
        })
        await client.patch(`${cars.path('x')}/scale`, 'merge', { spec: { replicas: 6 } })
        client.expect.has(await cars.read('x'), { metadata: { generation: 2 }, spec: { wheels: 6 } })
      },
    },
    {
      name: 'a table has the columns of the definition',
      source: tables,
      async run(client) {
        const column = (name: string, type: string, jsonPath: string) => ({ name, type, jsonPath })
        const additionalPrinterColumns = [
          column('Seats', 'integer', '.spec.seats'),
          column('Ready', 'string', '.status.conditions[?(@.type=="Ready")].status'),
          { ...column('Colour', 'string', '.spec.colour'), priority: 1, description: 'what it looks like' },
          column('Built', 'date', '.spec.built'),
        ]
        const properties = { status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
        const cars = await define(client, { properties, version: { additionalPrinterColumns } })
        const conditions = [
          { type: 'Sold', status: 'False' },
          { type: 'Ready', status: 'True' },
        ]
        await cars.make('x', { spec: { seats: 5, built: 'long ago' }, status: { conditions } })
        client.expect.answer(await client.get(cars.path(), { headers: table }), 200, {
          columnDefinitions: [
            { name: 'Name', type: 'string', format: 'name' },
            {
              name: 'Seats',
              type: 'integer',
              description: 'Custom resource definition column (in JSONPath format): .spec.seats',
            },
            { name: 'Ready', type: 'string' },
            { name: 'Colour', priority: 1, description: 'what it looks like' },
            { name: 'Built', type: 'date' },
          ],
          rows: [{ cells: ['x', 5, 'True', null, '<invalid>'] }],
        })
      },
    },
    {
      name: 'an object must have the kind of the resource',
      source: 'k8s.io/apiextensions-apiserver pkg/registry/customresource/validator.go @ v0.36.3',
      async run(client) {
        const cars = await define(client)
        client.expect.invalid(await cars.create('x', { kind: 'Lorry' }), {
          kind: 'Lorry',
          group: cars.group,
          name: 'x',
          because: ['kind: Invalid value: "Lorry": must be Car'],
        })
      },
    },
    {
      name: 'a missing object is reported before a wrong kind',
      source: 'k8s.io/apiserver pkg/registry/generic/registry/store.go @ v0.36.3',
      async run(client) {
        const cars = await define(client)
        const lorry = { apiVersion: `${cars.group}/v1`, kind: 'Lorry', metadata: { name: 'x' } }
        const missing = await client.put(cars.path('x'), lorry)
        client.expect.notFound(missing, `cars.${cars.group}`, 'x')
        const nameless = await client.put(cars.path('x'), { ...lorry, metadata: {} })
        client.expect.answer(nameless, 400)
        await cars.make('x', {})
        client.expect.answer(await client.put(cars.path('x'), lorry), 422)
      },
    },
    {
      name: 'watches end when the definition changes',
      source: 'k8s.io/apiextensions-apiserver pkg/apiserver/customresource_handler.go @ v0.36.3',
      async run(client) {
        const cars = await define(client)
        await cars.make('x', { spec: {} })
        const watch = await cars.watch('resourceVersion=0')
        client.expect.has(await watch.next(), { type: 'ADDED' })
        const body = { spec: { names: { shortNames: ['cr'] } } }
        await client.patch(`customresourcedefinitions/${cars.definition}`, 'merge', body)
        client.expect.same(await watch.next(), undefined)
      },
    },
    {
      name: 'objects are deleted with their definition, and then the path is unknown',
      source: finalizing,
      async run(client) {
        const cars = await define(client)
        await cars.make('x', { spec: {} })
        const name = `customresourcedefinitions/${cars.definition}`
        const watch = await cars.watch('resourceVersion=0')
        client.expect.has(await watch.next(), { type: 'ADDED' })
        const answer = await client.delete(name)
        client.expect.answer(answer, 200, {
          kind: 'CustomResourceDefinition',
          metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'], generation: 1 },
        })
        client.expect.ok(answer.text.includes('"reason":"InstanceDeletionPending"'), 'deletion is pending')
        client.expect.has(await watch.next(), { type: 'DELETED', object: { metadata: { name: 'x' } } })
        await client.until('the definition is deleted', async () => (await client.get(name)).status === 404)
        await client.until('nothing is served', async () => {
          const { status, text } = await client.get(cars.path())
          return status === 404 && text === '404 page not found\n'
        })
      },
    },
    {
      name: 'a definition waits for an object with a finalizer, and accepts no new objects',
      source: finalizing,
      async run(client) {
        const cars = await define(client)
        await cars.make('x', { metadata: { name: 'x', finalizers: ['example.com/hold'] }, spec: {} })
        const name = `customresourcedefinitions/${cars.definition}`
        await client.delete(name)
        await client.until('it waits', async () =>
          (await client.get(name)).text.includes('InstanceDeletionInProgress'),
        )
        client.expect.refused(await cars.create('y', { spec: {} }), {
          code: 403,
          reason: 'Forbidden',
          message: `cars.${cars.group} "y" is forbidden: create not allowed while custom resource definition is terminating`,
          details: { name: 'y', group: cars.group, kind: 'cars' },
        })
        await cars.patch('x', { metadata: { finalizers: null } })
        await client.until('the definition is deleted', async () => (await client.get(name)).status === 404)
      },
    },
    {
      name: 'a version with stored objects cannot be removed',
      source: versioning,
      async run(client) {
        const cars = await define(client)
        const versions = [{ name: 'v2', served: true, storage: true, ...schemaOf({}) }]
        const name = `customresourcedefinitions/${cars.definition}`
        client.expect.invalid(await client.patch(name, 'merge', { spec: { versions } }), {
          kind: 'CustomResourceDefinition',
          group: 'apiextensions.k8s.io',
          name: cars.definition,
          because: [
            'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
          ],
        })
      },
    },
    ...[
      {
        name: 'a field without a type is not structural',
        spec: {},
        message: 'Required value: must not be empty for specified object fields',
        field: '.properties[spec].type',
      },
      {
        name: 'a list without items is not structural',
        spec: { type: 'array' },
        message: 'Required value: must be specified',
        field: '.properties[spec].items',
      },
      {
        name: 'a type that JSON does not have is rejected',
        spec: { type: 'date' },
        message:
          'Unsupported value: "date": supported values: "array", "boolean", "integer", "number", "object", "string"',
        field: '.properties[spec].type',
      },
      {
        name: 'a default must be valid for its schema',
        spec: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } },
        message: 'Invalid value: "string":  in body must be of type integer: "string"',
        field: '.properties[spec].properties[a].default',
      },
      {
        name: 'the key of a map list must be required or have a default',
        spec: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
          items: { type: 'object', properties: { a: text } },
        },
        message:
          'Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        field: '.properties[spec].items.properties[a].default',
      },
      {
        name: 'properties and additionalProperties are mutually exclusive',
        spec: { type: 'object', properties: { a: text }, additionalProperties: text },
        message: 'Forbidden: additionalProperties and properties are mutual exclusive',
        field: '.properties[spec].additionalProperties',
      },
    ].map(({ name, spec, message, field }) => ({
      name,
      source: structural,
      async run(client: Parameters<typeof definitionOf>[0]) {
        const body = definitionOf(client, { spec })
        const answer = await client.post('customresourcedefinitions?dryRun=All', body)
        client.expect.invalid(answer, {
          kind: 'CustomResourceDefinition',
          group: 'apiextensions.k8s.io',
          name: `cars.${client.namespace}.example.com`,
          because: [`spec.validation.openAPIV3Schema${field}: ${message}`],
        })
      },
    })),
  ],
}
