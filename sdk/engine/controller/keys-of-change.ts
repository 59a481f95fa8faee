import { formatKey, type Key, keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Logger } from '../observe/logger.js'
import type { Change } from '../store/store.js'
import { isWrittenBy } from '../store/writer.js'

/** A mapping that returns more keys than this for one object is logged, because it may map everything to everything. */
const maxUsualKeys = 1000

/** Maps objects of one kind to the keys of a controller. */
export interface KeyMapping<T extends KubeObject> {
  /** The logger of the controller. */
  logger: Logger
  /**
   * Returns the keys of an object. User code may throw: the error is logged and does not end the stream for other keys.
   */
  keysOf(object: T): Iterable<Key>
}

/**
 * The keys that a change triggers, each once: the keys of the object before and after the change. So a removed
 * reference also triggers the object that it named.
 */
export function keysOfChange<T extends KubeObject>(
  { object, previous }: Change<T>,
  mapping: KeyMapping<T>,
): Key[] {
  const keys = keysOfObject(object, mapping)
  return withoutDuplicates(previous ? [...keys, ...keysOfObject(previous, mapping)] : keys)
}

/** The keys of one object; none if the mapping fails. */
export function keysOfObject<T extends KubeObject>(object: T, { logger, keysOf }: KeyMapping<T>): Key[] {
  try {
    const keys = [...keysOf(object)]
    if (keys.length > maxUsualKeys)
      logger.warn({ object: formatKey(keyOf(object)), keys: keys.length }, 'an object maps to very many keys')
    return keys
  } catch (error) {
    logger.error({ object: formatKey(keyOf(object)), error }, 'mapping an object to keys failed')
    return []
  }
}

/** Removes the key whose own run wrote the change, because that run knows what it wrote. */
export function withoutWriter(controller: string, change: Change, keys: readonly Key[]): Key[] {
  return keys.filter((key) => !isWrittenBy(change, { controller, key }))
}

function withoutDuplicates(keys: Key[]): Key[] {
  return keys.length < 2 ? keys : [...new Map(keys.map((key) => [formatKey(key), key])).values()]
}
