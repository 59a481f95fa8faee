import type { CallOptions, CaseClient, PatchType } from './case-client.js'
import type { Answer, Body, EventStream } from './cluster-under-test.js'

/** The definition of a case; the defaults are minimal. */
export interface Definition {
  /** Schema of `spec`; an object of anything by default. */
  readonly spec?: object
  /** Members of the root schema in addition to `spec`. */
  readonly properties?: Readonly<Record<string, object>>
  /** Members of the one version in addition to its schema. */
  readonly version?: object
  /** All versions, instead of the one. */
  readonly versions?: readonly object[]
  readonly names?: object
}

/** A custom resource that only this case uses, and short ways to call it. */
export interface CustomResource {
  readonly group: string
  /** The name of its CustomResourceDefinition, in which it is `customresourcedefinitions/<definition>`. */
  readonly definition: string
  /** The path of its objects in the case's namespace, in `v1` or another version. */
  path(name?: string, version?: string): string
  create(name: string, fields: object, options?: CallOptions): Promise<Answer>
  /** Creates an object; rejects if that fails. */
  make(name: string, fields: object): Promise<Body>
  read(name: string, version?: string): Promise<Body>
  patch(name: string, body: object, type?: PatchType): Promise<Answer>
  watch(query: string): Promise<EventStream>
}

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** The body of a CustomResourceDefinition. */
export function definitionOf(
  { namespace }: CaseClient,
  definition: Definition = {},
  plural = 'cars',
): object {
  const group = `${namespace}.example.com`
  const { spec = anything, properties = {}, version = {}, names = {} } = definition
  const openAPIV3Schema = { type: 'object', properties: { spec, ...properties } }
  const only = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: 'Car', ...names },
      versions: definition.versions ?? [only],
    },
  }
}

/** Whether a server stores an object that a write does not change: then its storage version is another one. */
export async function isStoredAgain(client: CaseClient, path: string): Promise<boolean> {
  const before = await client.get(path)
  const after = await client.put(path, before.body)
  const versionOf = ({ body }: Answer) => body.metadata.resourceVersion
  return before.status === 200 && after.status === 200 && versionOf(before) !== versionOf(after)
}

/** Defines a custom resource and waits until it is served. */
export async function define(client: CaseClient, definition: Definition = {}): Promise<CustomResource> {
  const group = `${client.namespace}.example.com`
  await client.make('customresourcedefinitions', definitionOf(client, definition))
  const path = (name = '', version = 'v1') =>
    `/apis/${group}/${version}/namespaces/${client.namespace}/cars${name === '' ? '' : `/${name}`}`
  await client.until('the resource is served', async () => (await client.get(path())).status === 200)
  const object = (name: string, fields: object) => ({
    apiVersion: `${group}/v1`,
    kind: 'Car',
    metadata: { name },
    ...fields,
  })
  return {
    group,
    definition: `cars.${group}`,
    path,
    create: (name, fields, options) => client.post(path(), object(name, fields), options),
    make: (name, fields) => client.make(path(), object(name, fields)),
    read: (name, version) => client.read(path(name, version)),
    patch: (name, body, type = 'merge') => client.patch(path(name), type, body),
    watch: (query) => client.watch(`${path()}?${query}`),
  }
}
