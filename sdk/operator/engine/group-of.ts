import { freezeJson } from '../../engine/kube/json.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { WiredController } from '../controller/wired-controller.js'

/**
 * The group of the keys for whose objects `serializeBy` throws: what they share is not known, so they run one by one.
 */
const unknownGroup = 'unknown'

/** The group of a key by `serializeBy`; undefined if the controller has none. A key without an object has no group. */
export function groupOfKey<T extends KubeObject>({
  options,
  cluster,
  resource,
  name,
  environment,
}: WiredController<T>): ((key: Key) => string | undefined) | undefined {
  const { serializeBy } = options
  if (!serializeBy) return undefined
  const store = cluster.store(resource)
  return (key) => {
    const object = freezeJson(store.get(key))
    if (!object) return undefined
    try {
      const group = serializeBy(object)
      return group === undefined ? undefined : `by ${group}`
    } catch (error) {
      const fields = { controller: name, key: formatKey(key), error }
      environment.logger.error(fields, 'serializeBy failed; the key runs alone with others like it')
      return unknownGroup
    }
  }
}
