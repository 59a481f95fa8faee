import type { Client } from '../../sdk/engine/client/client.js'
import { namespaces, services } from '../../sdk/engine/kube/builtin.js'
import { isAlreadyExists } from '../../sdk/engine/kube/error.js'
import { formatKey, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { formatResource, type Resource } from '../../sdk/engine/kube/resource.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import { comparable } from './comparable.js'
import { stateDifferences } from './state-differences.js'
import { isKind, withDefaults } from './with-defaults.js'

/** The objects of one kind in one cluster. */
export interface KindState<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>
  readonly objects: readonly T[]
}

/** The objects of both clusters, by kind. Kinds that are not listed are not compared. */
export type ClusterStates = Readonly<Partial<Record<Side, readonly KindState[]>>>

/** Creates objects, with their namespaces as needed. */
export async function createObjects(client: Client, states: readonly KindState[]): Promise<void> {
  for (const { resource, objects } of states) {
    for (const object of objects) {
      const { namespace } = object.metadata
      if (namespace) await ensureNamespace(client, namespace)
      await client.create(resource, object)
    }
  }
}

async function ensureNamespace(client: Client, name: string): Promise<void> {
  try {
    await client.create(namespaces, { metadata: { name } })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

/** Compares a cluster with the expected objects. Returns a sentence per difference. */
export async function compareCluster(
  side: Side,
  client: Client,
  states: readonly KindState[],
): Promise<string[]> {
  const problems: string[] = []
  for (const state of states) problems.push(...(await compareKind(side, client, state)))
  return problems
}

async function compareKind(side: Side, client: Client, { resource, objects }: KindState): Promise<string[]> {
  const nameOf = (object: KubeObject) => `${side} ${formatResource(resource)} ${formatKey(keyOf(object))}`
  const stated = new Map(objects.map((object) => [nameOf(object), object]))
  const isService = isKind(resource, services)
  const textsOf = (objects: readonly KubeObject[]) =>
    new Map(
      objects.map((object) => {
        const name = nameOf(object)
        return [name, comparable(object, { stated: stated.get(name), isService })]
      }),
    )
  const { items } = await client.listAll(resource)
  const actual = items.filter((object) => stated.has(nameOf(object)) || !isOfCluster(resource, object))
  const expected = await Promise.all(
    objects.map(async (object) => {
      const found = items.find((item) => nameOf(item) === nameOf(object))
      // An object that is missing needs no defaults.
      if (!found) return object
      const takenNames = new Set(items.map(({ metadata }) => metadata.name ?? ''))
      return withDefaults(client, { resource, stated: object, actual: found, takenNames })
    }),
  )
  return stateDifferences(textsOf(actual), textsOf(expected))
}

/** The names of the objects that every cluster creates by itself. Names of their copies begin with these names. */
const ownOfCluster = [
  /^[^/]+\/kube-root-ca\.crt/,
  /^kube-system\/extension-apiserver-authentication$|\/extension-apiserver-authentication-x-kube-system-x-/,
  /^default\/kubernetes$|\/kubernetes-x-default-x-/,
]

const ownNamespaces: ReadonlySet<string> = new Set([
  'default',
  'kube-node-lease',
  'kube-public',
  'kube-system',
])

function isOfCluster(resource: Resource, object: KubeObject): boolean {
  const key = formatKey(keyOf(object))
  if (isKind(resource, namespaces)) return ownNamespaces.has(key)
  return ownOfCluster.some((pattern) => pattern.test(key))
}
