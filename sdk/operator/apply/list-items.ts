import { isJsonObject } from '../../engine/kube/json-object.js'

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
  return (index) => live.find((item) => isSame(members, intended[index], item))
}

function isIdentity([first = '', ...others]: readonly string[], items: readonly unknown[]): boolean {
  if (!items.every((item) => isJsonObject(item) && item[first] !== undefined)) return false
  const texts = items.map((item) =>
    JSON.stringify([first, ...others].map((name) => isJsonObject(item) && item[name])),
  )
  return new Set(texts).size === items.length
}

/** A member that the intent leaves to its default, such as `protocol`, does not tell items apart. */
function isSame(members: readonly string[], intended: unknown, live: unknown): boolean {
  if (!isJsonObject(intended) || !isJsonObject(live)) return false
  return members.every((name) => intended[name] === undefined || intended[name] === live[name])
}
