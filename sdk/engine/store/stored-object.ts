import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { StoreEntry } from './store-entry.js'

/** Finds an object in the stores; undefined if no store has it. */
export function storedObject(
  entries: readonly StoreEntry[],
  { group, plural }: Resource,
  key: Key,
): KubeObject | undefined {
  const ofKind = entries.filter(({ resource }) => resource.group === group && resource.plural === plural)
  return ofKind.map(({ store }) => store.get(key)).find((object) => object !== undefined)
}
