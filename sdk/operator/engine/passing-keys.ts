import { jsonEqual } from '../../engine/kube/json.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Change } from '../../engine/store/store.js'
import type { Predicate } from '../controller/predicate.js'

/** Options of {@link passingKeys}. */
export interface PassingKeysOptions<T extends KubeObject> {
  /** The keys of one state of an object. */
  keysOf: (object: T) => readonly Key[]
  /** Default every change passes. */
  predicate: Predicate<T> | undefined
  /** The API group of the primary kind: the prefix of the SDK's annotations. */
  group: string
  /** Called with what the predicate threw. */
  onError: (error: unknown) => void
}

/**
 * The keys that a change runs: those of the object as it is and as it was, because a reference that was removed wakes
 * the object that it named. The predicate decides about a key that both states have, if both are states of one object.
 */
export function passingKeys<T extends KubeObject>(
  change: Change<T>,
  { keysOf, ...options }: PassingKeysOptions<T>,
): Key[] {
  const { object, previous } = change
  const now = byText(keysOf(object))
  if (!previous) return [...now.values()]
  const before = byText(keysOf(previous))
  const isPassed = mayBeHidden(change) ? passes(object, previous, options) : true
  const all = new Map([...now, ...before])
  return [...all].filter(([text]) => isPassed || !(now.has(text) && before.has(text))).map(([, key]) => key)
}

function byText(keys: readonly Key[]): Map<string, Key> {
  return new Map(keys.map((key) => [formatKey(key), key]))
}

/** Whether a predicate is asked about a change at all. */
function mayBeHidden({ object, previous, gone }: Change): boolean {
  if (gone || !previous || previous.metadata.uid !== object.metadata.uid) return false
  return object.metadata.deletionTimestamp === undefined || previous.metadata.deletionTimestamp !== undefined
}

function passes<T extends KubeObject>(
  object: T,
  before: T,
  { predicate, group, onError }: Omit<PassingKeysOptions<T>, 'keysOf'>,
): boolean {
  if (!predicate) return true
  if (!jsonEqual(ownMetadata(object, group), ownMetadata(before, group))) return true
  try {
    return predicate(object, before)
  } catch (error) {
    onError(error)
    return true
  }
}

/** The parts of the metadata that the SDK itself acts on. */
function ownMetadata({ metadata }: KubeObject, group: string): unknown {
  const prefix = `${group || 'core'}/`
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.startsWith(prefix))
  return { annotations: Object.fromEntries(annotations), finalizers: metadata.finalizers ?? [] }
}
