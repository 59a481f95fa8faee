import type { Client } from '../../sdk/engine/client/client.js'
import { namespaces } from '../../sdk/engine/kube/builtin.js'
import { isAlreadyExists } from '../../sdk/engine/kube/error.js'
import { formatKey, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { formatResource, type Resource } from '../../sdk/engine/kube/resource.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import { comparable } from './comparable.js'
import { stateDifferences } from './state-differences.js'

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
  const withStatus = new Set(objects.filter((object) => 'status' in object).map(nameOf))
  const textsOf = (objects: readonly KubeObject[]) =>
    new Map(
      objects.map((object) => {
        const name = nameOf(object)
        return [name, comparable(object, { withStatus: withStatus.has(name) })]
      }),
    )
  const actual = (await client.listAll(resource)).items.filter((object) => !isOfCluster(object))
  const expected = await Promise.all(objects.map((object) => withDefaults(client, resource, object)))
  return stateDifferences(textsOf(actual), textsOf(expected))
}

/** The names of the objects that every cluster creates by itself. Names of their copies begin with these names. */
const ownOfCluster = [
  /^[^/]+\/kube-root-ca\.crt/,
  /^kube-system\/extension-apiserver-authentication$|\/extension-apiserver-authentication-x-kube-system-x-/,
  /^default\/kubernetes$|\/kubernetes-x-default-x-/,
]

function isOfCluster(object: KubeObject): boolean {
  const key = formatKey(keyOf(object))
  return ownOfCluster.some((pattern) => pattern.test(key))
}

/** The object with the API server's defaults, and with the status that the test expects. */
async function withDefaults<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  object: T,
): Promise<T> {
  const renamed = { ...object, metadata: { ...object.metadata, name: 'expected' } }
  const defaulted = await client.create(resource, renamed, { dryRun: true })
  const metadata = { ...defaulted.metadata, name: object.metadata.name ?? '' }
  return { ...defaulted, metadata, ...('status' in object && { status: object.status }) }
}
