import type { KubeObject } from './object.js'

/** The namespace and name of an object. `namespace` is `''` for a cluster-scoped object. */
export interface Key {
  readonly namespace: string
  readonly name: string
}

/**
 * The key of an object.
 *
 * @example
 * ```ts
 * const key = keyOf({ metadata: { namespace: 'default', name: 'greeting' } })
 * console.log(formatKey(key)) // default/greeting
 * console.log(parseKey('default/greeting').name) // greeting
 * ```
 */
export function keyOf(object: KubeObject): Key {
  return { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }
}

/**
 * `namespace/name`, or `name` alone for a cluster-scoped object: for maps, logs and people.
 *
 * @example
 * ```ts
 * const key = keyOf({ metadata: { namespace: 'default', name: 'greeting' } })
 * console.log(formatKey(key)) // default/greeting
 * console.log(parseKey('default/greeting').name) // greeting
 * ```
 */
export function formatKey(key: Key): string {
  return key.namespace === '' ? key.name : `${key.namespace}/${key.name}`
}

/**
 * The inverse of {@link formatKey}.
 *
 * @example
 * ```ts
 * const key = keyOf({ metadata: { namespace: 'default', name: 'greeting' } })
 * console.log(formatKey(key)) // default/greeting
 * console.log(parseKey('default/greeting').name) // greeting
 * ```
 */
export function parseKey(text: string): Key {
  const slash = text.indexOf('/')
  if (slash < 0) return { namespace: '', name: text }
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}
