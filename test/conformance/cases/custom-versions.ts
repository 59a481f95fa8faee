import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { type CustomResource, define, isStoredAgain } from '../custom-resource.js'

const source = 'Kubernetes documentation, Versions in CustomResourceDefinitions'
const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const openAPIV3Schema = { type: 'object', properties: { spec } }

/** Two versions, of which one is the storage version. */
const versions = (storage: string) =>
  ['v1', 'v1beta1'].map((name) => ({
    name,
    served: true,
    storage: name === storage,
    schema: { openAPIV3Schema },
  }))

/** Makes another version the storage version, and waits until the server uses it. */
async function store(client: CaseClient, cars: CustomResource, version: string): Promise<void> {
  const reference = `customresourcedefinitions/${cars.definition}`
  await cars.make('probe', { spec: { a: 1 } })
  const answer = await client.patch(reference, 'merge', { spec: { versions: versions(version) } })
  client.expect.answer(answer, 200)
  await client.until('the version is recorded', async () => {
    const { body } = await client.get(reference)
    const { storedVersions } = body.status as { storedVersions: string[] }
    return storedVersions.includes(version)
  })
  // A server replaces its handler of the resource a moment later.
  await client.until('objects are stored in the version', () => isStoredAgain(client, cars.path('probe')))
}

/** Versions of a custom resource: in which one objects are stored, and when a version may go. */
export const customVersions: CaseGroup = {
  name: 'custom-versions',
  cases: [
    {
      name: 'a write that changes nothing is stored if the storage version has changed',
      source,
      async run(client) {
        const cars = await define(client, { versions: versions('v1beta1') })
        await cars.make('put', { spec: { a: 1 } })
        await cars.make('patch', { spec: { a: 1 } })
        await store(client, cars, 'v1')
        const writes: [name: string, write: () => Promise<unknown>][] = [
          ['put', async () => client.put(cars.path('put'), await cars.read('put'))],
          ['patch', () => cars.patch('patch', {})],
        ]
        for (const [name, write] of writes) {
          const before = await cars.read(name)
          await write()
          const after = await cars.read(name)
          client.expect.ok(
            after.metadata.resourceVersion !== before.metadata.resourceVersion,
            `the first ${name} is stored`,
          )
          client.expect.same(after.metadata.generation, before.metadata.generation)
          await write()
          const last = await cars.read(name)
          client.expect.same(last.metadata.resourceVersion, after.metadata.resourceVersion)
        }
      },
    },
    {
      name: 'the versions of stored objects are recorded, and stay until they are taken away',
      source,
      async run(client) {
        const cars = await define(client, { versions: versions('v1beta1') })
        const reference = `customresourcedefinitions/${cars.definition}`
        client.expect.has(await client.read(reference), { status: { storedVersions: ['v1beta1'] } })
        await store(client, cars, 'v1')
        client.expect.has(await client.read(reference), { status: { storedVersions: ['v1beta1', 'v1'] } })
        const only = { spec: { versions: versions('v1').slice(0, 1) } }
        const refused = await client.patch(reference, 'merge', only)
        client.expect.answer(refused, 422, {
          details: {
            causes: [{ field: 'status.storedVersions[0]', message: /missing from spec\.versions/ }],
          },
        })
        const trimmed = await client.patch(`${reference}/status`, 'merge', {
          status: { storedVersions: ['v1'] },
        })
        client.expect.answer(trimmed, 200, { status: { storedVersions: ['v1'] } })
        client.expect.answer(await client.patch(reference, 'merge', only), 200)
      },
    },
    {
      name: 'an empty list of the versions of stored objects becomes the storage version',
      source: 'k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go @ v0.36.3',
      async run(client) {
        const cars = await define(client, { versions: versions('v1') })
        const write = (storedVersions: unknown) =>
          client.patch(`customresourcedefinitions/${cars.definition}/status`, 'merge', {
            status: { storedVersions },
          })
        client.expect.answer(await write(['v1beta1']), 200, { status: { storedVersions: ['v1beta1'] } })
        for (const none of [[], null]) {
          client.expect.answer(await write(none), 200, { status: { storedVersions: ['v1'] } })
        }
      },
    },
    {
      name: 'a nullable field with an enum takes no null, even if the enum contains it',
      source: 'k8s.io/kube-openapi pkg/validation/validate/values.go',
      async run(client) {
        const field = { type: 'string', nullable: true }
        const properties = { without: { ...field, enum: ['a'] }, with: { ...field, enum: ['a', null] } }
        const cars = await define(client, { spec: { type: 'object', properties } })
        const { spec: defined } = await client.read(`customresourcedefinitions/${cars.definition}`)
        client.expect.has(defined, {
          versions: [
            {
              schema: {
                openAPIV3Schema: { properties: { spec: { properties: { with: { enum: ['a', null] } } } } },
              },
            },
          ],
        })
        const texts = { with: '"a", "null"', without: '"a"' }
        for (const [name, supported] of Object.entries(texts)) {
          const refused = await cars.create(name, { spec: { [name]: null } })
          const because = [`spec.${name}: Unsupported value: null: supported values: ${supported}`]
          client.expect.invalid(refused, { kind: 'Car', group: cars.group, name, because })
        }
      },
    },
  ],
}
