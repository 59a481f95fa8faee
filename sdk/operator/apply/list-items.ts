import { stringifyJson } from '../../engine/kube/json.js'
import { isJsonObject, type JsonObject } from '../../engine/kube/json-object.js'
import { IndexedItems } from './indexed-items.js'

/** The members that identify an item in the associative lists of Kubernetes; the first that all items have counts. */
const identities: readonly (readonly string[])[] = [
  ['name'],
  ['key'],
  ['mountPath'],
  ['devicePath'],
  ['containerPort', 'protocol'],
  ['port', 'protocol'],
  ['type'],
  ['uid'],
  ['ip'],
  ['topologyKey', 'whenUnsatisfiable'],
]

/**
 * Finds the item of a live list that corresponds to an item of the intended list: by identity if every
 * intended item has a different one, else by position. Works without a schema, because controllers have none
 * of built-in kinds; a wrong guess costs one apply that changes nothing.
 */
export function itemFinder(
  intended: readonly unknown[],
  live: readonly unknown[],
): (index: number) => unknown {
  const members = identities.find((names) => isIdentity(names, intended))
  if (!members) return (index) => live[index]
  const items = new IndexedItems(live)
  return (index) => {
    const item = intended[index]
    return isJsonObject(item) ? items.find(identityOf(members, item)) : undefined
  }
}

function isIdentity([first = '', ...others]: readonly string[], items: readonly unknown[]): boolean {
  if (!items.every((item) => isJsonObject(item) && item[first] !== undefined)) return false
  const texts = items.map((item) =>
    stringifyJson([first, ...others].map((name) => (isJsonObject(item) && item[name]) ?? null)),
  )
  return new Set(texts).size === items.length
}

/** A member that the intent leaves to its default, such as `protocol`, does not tell items apart. */
function identityOf(names: readonly string[], item: JsonObject): JsonObject {
  const identity: Record<string, unknown> = {}
  for (const name of names) if (item[name] !== undefined) identity[name] = item[name]
  return identity
}
