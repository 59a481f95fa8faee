import type { ApiServer } from '../../apiserver/api-server.js'
import type { Side } from '../../context/register-context.js'
import { canonicalJson } from '../../kube/canonical-json.js'
import { parseJson } from '../../kube/json.js'
import type { KubeObject } from '../../kube/object.js'
import type { Stage } from './stage.js'

/** What two clusters hold in the end, without what may differ from one run to the next: canonical JSON by object. */
export type EndState = ReadonlyMap<string, string>

/** Kinds that tell about the run, not about the objects: they may differ. */
const passing = new Set(['events', 'leases'])
const metadataThatDiffers = [
  'managedFields',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'selfLink',
  'uid',
]

/**
 * Reads what the clusters hold of every kind that was written. UIDs are replaced by the names of their objects, so that
 * one that points to an object long gone is seen; an API server's certificates, which are its own, by a word.
 */
export async function endStateOf({ servers, wire }: Stage): Promise<EndState> {
  const objects = new Map<string, KubeObject>()
  for (const cluster of ['virtual', 'host'] as const) {
    for (const collection of wire.collections[cluster])
      for (const object of await listed(servers[cluster], collection))
        objects.set(nameOf(cluster, collection, object), object)
  }
  const uids = [...objects].map(([name, { metadata }]) => ({ name, uid: metadata.uid ?? '' }))
  const state = [...objects].map(([name, object]): [string, string] => [name, masked(object, uids)])
  return new Map(state.sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function listed(server: ApiServer, collection: string): Promise<KubeObject[]> {
  const plural = collection.slice(collection.lastIndexOf('/') + 1)
  if (passing.has(plural)) return []
  const { status, body } = await server.handle({ method: 'GET', path: collection })
  return status === 200 ? (parseJson(body as Uint8Array) as { items: KubeObject[] }).items : []
}

function nameOf(cluster: Side, collection: string, { metadata }: KubeObject): string {
  const plural = collection.slice(collection.lastIndexOf('/') + 1)
  return `${cluster} ${plural} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`
}

function masked(object: KubeObject, uids: readonly { name: string; uid: string }[]): string {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([field]) => !metadataThatDiffers.includes(field)),
  )
  const isGoing = metadata.deletionTimestamp !== undefined
  const whole = { ...object, metadata: { ...metadata, ...(isGoing && { deletionTimestamp: 'some time' }) } }
  let text = canonicalJson(whole)
  for (const { name, uid } of uids)
    if (uid !== '' && text.includes(uid)) text = text.replaceAll(uid, `<uid of ${name}>`)
  return text.replaceAll(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----(\\n)?/g, '<certificate>')
}

/** In which objects two end states differ, a sentence each. */
export function differences(actual: EndState, expected: EndState): string[] {
  const names = new Set([...expected.keys(), ...actual.keys()])
  return [...names].flatMap((name) => difference(name, actual.get(name), expected.get(name)) ?? [])
}

function difference(
  name: string,
  actual: string | undefined,
  expected: string | undefined,
): string | undefined {
  if (actual === expected) return undefined
  if (actual === undefined) return `${name} is missing`
  if (expected === undefined) return `${name} should not be there: ${shortened(actual)}`
  const at = [...actual].findIndex((char, i) => char !== expected[i])
  const from = Math.max(0, at - 60)
  return `${name} differs: it has …${shortened(actual.slice(from))} and should have …${shortened(expected.slice(from))}`
}

const shortened = (text: string) => (text.length > 160 ? `${text.slice(0, 160)}…` : text)
