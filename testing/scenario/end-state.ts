import type { Side } from '../../sdk/context/register-context.js'
import { canonicalJson } from '../../sdk/kube/canonical-json.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Stage } from './harness.js'

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
 * Reads what the clusters hold of every kind that was written. UIDs and the addresses of Services are replaced by the
 * names of their objects, so that one that points to an object long gone is seen; an API server's certificates, which
 * are its own, by a word.
 */
export async function endStateOf({ wire }: Pick<Stage, 'wire'>): Promise<EndState> {
  const objects = new Map<string, KubeObject>()
  for (const cluster of ['virtual', 'host'] as const) {
    for (const collection of wire.collections[cluster])
      for (const object of await listed(wire, cluster, collection))
        objects.set(nameOf(cluster, collection, object), object)
  }
  const chosen = [...objects].flatMap(([name, object]) => choices(name, object))
  const state = [...objects].map(([name, object]): [string, string] => [name, masked(object, chosen)])
  return new Map(state.sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function listed(wire: Stage['wire'], cluster: Side, collection: string): Promise<KubeObject[]> {
  const plural = collection.slice(collection.lastIndexOf('/') + 1)
  return passing.has(plural) ? [] : wire.list(cluster, collection)
}

function nameOf(cluster: Side, collection: string, { metadata }: KubeObject): string {
  const plural = collection.slice(collection.lastIndexOf('/') + 1)
  return `${cluster} ${plural} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`
}

/** What an API server chose for an object by chance. */
interface Choice {
  readonly text: string
  /** What stands in its place. */
  readonly words: string
}

function choices(name: string, object: KubeObject): Choice[] {
  const { clusterIP = '' } = ('spec' in object ? object.spec : {}) as { clusterIP?: string }
  const found = [{ text: object.metadata.uid ?? '', words: `<uid of ${name}>` }]
  return clusterIP.includes('.') ? [...found, { text: clusterIP, words: `<address of ${name}>` }] : found
}

function masked(object: KubeObject, chosen: readonly Choice[]): string {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([field]) => !metadataThatDiffers.includes(field)),
  )
  const isGoing = metadata.deletionTimestamp !== undefined
  const whole = { ...object, metadata: { ...metadata, ...(isGoing && { deletionTimestamp: 'some time' }) } }
  let json = canonicalJson(whole)
  for (const { text, words } of chosen)
    if (text !== '' && json.includes(text)) json = json.replaceAll(text, words)
  json = json.replaceAll(/"lastTransitionTime":"[^"]*"/g, '"lastTransitionTime":"some time"')
  return json.replaceAll(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----(\\n)?/g, '<certificate>')
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
