import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { define } from '../custom-resource.js'

const transformer = 'IgnoreManagedFieldsTimestampsTransformer of k8s.io/apiserver @ v0.36.3'

/** An applied object, and a field that another manager changes meanwhile. */
interface Repeated {
  readonly reference: string
  readonly body: object
  readonly other: { readonly path: string; readonly value: unknown }
}

/** The resourceVersions of an object whose entries of field managers are old, and after its apply was repeated. */
async function repeat({ patch, expect }: CaseClient, { reference, body, other }: Repeated) {
  const path = `${reference}?fieldManager=one`
  const applied = await patch(path, 'apply', body)
  expect.answer(applied, 201)
  const old = '2020-01-01T00:00:00Z'
  const entries = (applied.body.metadata.managedFields ?? []) as readonly object[]
  const managedFields = entries.map((entry) => ({ ...entry, time: old }))
  const aged = await patch(`${reference}?fieldManager=two`, 'json', [
    { op: 'add', ...other },
    { op: 'add', path: '/metadata/managedFields', value: managedFields },
  ])
  expect.answer(aged, 200)
  const repeated = await patch(path, 'apply', body)
  expect.answer(repeated, 200)
  return { before: aged.body.metadata.resourceVersion, after: repeated.body.metadata.resourceVersion }
}

const other = { path: '/metadata/labels', value: { other: 'yes' } }

/** An apply with empty maps and lists that is repeated later. */
export const applyEmpties: CaseGroup = {
  name: 'apply-empties',
  cases: [
    {
      name: 'a repeated apply with an empty map of the metadata does not change a built-in object',
      source: transformer,
      async run(client) {
        const metadata = { name: 'a', annotations: {} }
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} }
        const { before, after } = await repeat(client, { reference: 'configmaps/a', body, other })
        client.expect.same(after, before)
      },
    },
    {
      // No controller changes it meanwhile, as one does a Deployment.
      name: 'a repeated apply with empty maps and lists does not change a PodTemplate',
      source: transformer,
      async run(client) {
        const containers = [{ name: 'c', image: 'i', env: [], resources: {} }]
        const spec = { containers, volumes: [], nodeSelector: {}, securityContext: {} }
        const body = {
          apiVersion: 'v1',
          kind: 'PodTemplate',
          metadata: { name: 'a', annotations: {} },
          template: { metadata: { labels: { app: 'a' }, annotations: {} }, spec },
        }
        const { before, after } = await repeat(client, { reference: 'podtemplates/a', body, other })
        client.expect.same(after, before)
      },
    },
    {
      name: 'a repeated apply with an empty map of the metadata changes a custom resource',
      source: transformer,
      async run(client) {
        const cars = await define(client)
        const body = {
          apiVersion: `${cars.group}/v1`,
          kind: 'Car',
          metadata: { name: 'a', annotations: {} },
          spec: { map: {} },
        }
        const { before, after } = await repeat(client, { reference: cars.path('a'), body, other })
        client.expect.ok(after !== before, 'the resourceVersion changes')
      },
    },
    {
      name: 'a repeated apply with an empty map of the spec does not change a custom resource',
      source: transformer,
      async run(client) {
        const cars = await define(client)
        const body = {
          apiVersion: `${cars.group}/v1`,
          kind: 'Car',
          metadata: { name: 'a' },
          spec: { map: {}, list: [] },
        }
        const { before, after } = await repeat(client, { reference: cars.path('a'), body, other })
        client.expect.same(after, before)
      },
    },
  ],
}
