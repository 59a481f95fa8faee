import type { KubeObject } from '../../engine/kube/object.js'
import { isKey } from './keys.js'
import { formatThing, type ThingRef } from './thing-ref.js'

/** The things that were begun for an object, by its metadata: the status, and with it the journal, can be lost. */
export interface BegunEffects {
  has(thing: ThingRef): boolean
  /** The keys of an effect that were begun. */
  keys(name: string): ReadonlySet<string>
  /** Notes a thing. Resolves when the API server has it. */
  note(thing: ThingRef): Promise<void>
  /** Removes the notes of things of one effect. */
  drop(name: string, keys: readonly string[]): Promise<void>
  /** Whether a person says that there is no such thing; the object is read again. */
  hasRetry(thing: ThingRef): Promise<boolean>
  /**
   * Removes the annotation by which a person says that there is no such thing, so that it counts once; returns whether
   * it was there. With `forgets` the same write removes the note of the thing.
   */
  takeRetry(thing: ThingRef, options?: { forgets?: boolean }): Promise<boolean>
  /** Reads the object again: a process whose watch is behind may not know of the last note of another one. */
  refresh(): Promise<void>
}

/** Annotations to set; null removes one. */
export type AnnotationChange = Readonly<Record<string, string | null>>

/** The annotation by which a primary object says that an effect without keys was begun for it. */
function begunAnnotation(group: string, name: string): string {
  return `${group || 'core'}/begun-effect.${name}`
}

/** The annotation with the keys that were begun of an effect. */
function keysAnnotation(group: string, name: string): string {
  return `${group || 'core'}/effect-keys.${name}`
}

/** The annotation by which a person says that a thing does not exist, and may be created again. */
export function retryAnnotation(group: string): string {
  return `${group || 'core'}/retry-effect`
}

/** Whether the annotation of a retry names a thing. */
export function hasRetry(object: KubeObject, group: string, thing: ThingRef): boolean {
  return object.metadata.annotations?.[retryAnnotation(group)] === formatThing(thing)
}

/** Whether the annotation of a thing is there. */
export function isBegun(object: KubeObject, group: string, { name, key }: ThingRef): boolean {
  if (key !== '') return begunKeys(object, group, name).has(key)
  return object.metadata.annotations?.[begunAnnotation(group, name)] !== undefined
}

/** The keys of an annotation. */
interface ReadKeys {
  readonly text: string
  readonly keys: ReadonlySet<string>
}

/** The last keys of each annotation, by object: a run asks for each key, and users can write very many. */
const lastKeys = new WeakMap<KubeObject, Map<string, ReadKeys>>()

/** The keys in the annotation of an effect. Users may be able to write it, so other texts are left out. */
export function begunKeys(object: KubeObject, group: string, name: string): ReadonlySet<string> {
  const annotation = keysAnnotation(group, name)
  const text = object.metadata.annotations?.[annotation] ?? ''
  const known = lastKeys.get(object) ?? new Map<string, ReadKeys>()
  const last = known.get(annotation)
  if (last?.text === text) return last.keys
  const keys = new Set(text.split(' ').filter(isKey))
  lastKeys.set(object, known.set(annotation, { text, keys }))
  return keys
}

/** The change of annotations that notes one more thing. */
export function annotationsWithThing(
  object: KubeObject,
  group: string,
  { name, key }: ThingRef,
): AnnotationChange {
  if (key === '') return { [begunAnnotation(group, name)]: 'true' }
  return { [keysAnnotation(group, name)]: [...new Set([...begunKeys(object, group, name), key])].join(' ') }
}

/** The change of annotations that removes keys of an effect; the empty key means an effect without keys. */
export function annotationsWithoutKeys(
  object: KubeObject,
  group: string,
  { name, keys }: { name: string; keys: readonly string[] },
): AnnotationChange {
  const dropped = new Set(keys)
  const left = [...begunKeys(object, group, name)].filter((key) => !dropped.has(key))
  return {
    [keysAnnotation(group, name)]: left.length > 0 ? left.join(' ') : null,
    ...(dropped.has('') && { [begunAnnotation(group, name)]: null }),
  }
}

/**
 * The change that removes the annotation of a retry, and with `forgets` the note; undefined if it names another thing,
 * or is not there.
 */
export function annotationsWithoutRetry(
  object: KubeObject,
  group: string,
  { thing, forgets = false }: { thing: ThingRef; forgets?: boolean },
): AnnotationChange | undefined {
  if (!hasRetry(object, group, thing)) return undefined
  const { name, key } = thing
  return {
    ...(forgets && annotationsWithoutKeys(object, group, { name, keys: [key] })),
    [retryAnnotation(group)]: null,
  }
}
