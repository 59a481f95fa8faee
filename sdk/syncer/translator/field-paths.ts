import { PluginError } from '../../kube/error.js'
import { cloneJson } from '../../kube/json.js'
import type { KubeObject } from '../../kube/object.js'

/** An object's members. */
export type Fields = Record<string, unknown>

/** A field's path, such as `spec.clusterIP`; a member whose name has dots is quoted: `data."tls.key"`. */
export type FieldPath = string

/**
 * Reads a field's path. Throws `PluginError` `INVALID_FIELD` for one that is empty, or that means metadata or status,
 * which are not copied by field.
 */
export function parseFieldPath(path: FieldPath): readonly string[] {
  const segments = [...path.matchAll(/(?:^|\.)(?:"([^"]+)"|([^."]+))/g)]
  const names = segments.map(([, quoted, plain]) => quoted ?? plain ?? '')
  const isWhole = segments.map(([text]) => text).join('') === path && names.length > 0
  if (isWhole && !['apiVersion', 'kind', 'metadata', 'status'].includes(names[0] ?? '')) return names
  throw new PluginError(
    'INVALID_FIELD',
    `'${path}' is not the path of a copied field: write for example spec.clusterIP or data."tls.key", outside metadata and status`,
  )
}

/**
 * `object` with these fields as `kept` has them, and without those it does not have. Lists are not looked into.
 * Nothing is mutated.
 */
export function withFieldsKept<T extends KubeObject>(
  object: T,
  paths: readonly (readonly string[])[],
  kept?: T,
): T {
  if (paths.length === 0) return object
  const result = cloneJson(object)
  for (const path of paths) place(result as unknown as Fields, path, kept && fieldAt(kept, path))
  return result
}

/** The value at a path; `undefined` if there is none. */
export function fieldAt(object: unknown, path: readonly string[]): unknown {
  let at = object
  for (const name of path) at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return at
}

/**
 * Sets a field, or removes it for `undefined`. Creates the parents of a field that is set, but not of one
 * that is removed.
 */
export function place(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): void {
  const there = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (rest.length === 0) {
    if (value === undefined) delete fields[name]
    else define(fields, name, cloneJson(value))
  } else if (isFields(there)) {
    place(there, rest, value)
  } else if (value !== undefined && there === undefined) {
    const made: Fields = {}
    define(fields, name, made)
    place(made, rest, value)
  }
}

/** Defines and never assigns: a member such as `__proto__` stays a member. */
function define(fields: Fields, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Whether a value is an object that has fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
