import { isJsonObject } from '../../engine/kube/json-object.js'
import { isKey, maxNotedKeys } from './keys.js'
import { formatThing, type ThingRef } from './thing-ref.js'

/** The entry of one thing in the status. */
export interface JournalEntry {
  /** The token of a thing that may be about to be created: written before, gone after. */
  readonly pending?: string
  /** The thing that exists. */
  readonly id?: string
}

/** A thing and its entry. */
export interface NotedThing {
  readonly thing: ThingRef
  readonly entry: JournalEntry
}

/** Entries by the formatted thing, in the order in which the things were begun. */
export type Entries = ReadonlyMap<string, NotedThing>

/** An effect in `status.effects`. */
interface StoredEffect extends JournalEntry {
  things?: ({ key: string } & JournalEntry)[]
}

/**
 * Reads `status.effects`. Users may be able to write the status, so entries of another form are left out, and entries
 * with keys that are more than this program writes.
 */
export function readEntries(effects: unknown): Entries {
  const entries = isJsonObject(effects) ? Object.entries(effects) : []
  const noted = entries.flatMap(([name, stored]) => readEffect(name, isJsonObject(stored) ? stored : {}))
  return new Map(noted.map((one) => [formatThing(one.thing), one]))
}

function readEffect(name: string, stored: Record<string, unknown>): NotedThing[] {
  const things = Array.isArray(stored.things) ? stored.things.slice(0, maxNotedKeys) : []
  const keyed = things.filter(isJsonObject).flatMap((thing) => {
    const { key } = thing
    return typeof key === 'string' && isKey(key) ? readEntry({ name, key }, thing) : []
  })
  return [...readEntry({ name, key: '' }, stored), ...keyed]
}

function readEntry(thing: ThingRef, { pending, id }: Record<string, unknown>): NotedThing[] {
  const entry = {
    ...(typeof pending === 'string' && { pending }),
    ...(typeof id === 'string' && { id }),
  }
  return Object.keys(entry).length > 0 ? [{ thing, entry }] : []
}

/** The form of entries in the status. */
export function storedEntries(entries: Entries): Readonly<Record<string, StoredEffect>> {
  const effects = new Map<string, StoredEffect>()
  for (const { thing, entry } of entries.values()) {
    const { name, key } = thing
    const effect = effects.get(name) ?? {}
    effects.set(name, effect)
    if (key === '') Object.assign(effect, entry)
    else effect.things = [...(effect.things ?? []), { key, ...entry }]
  }
  return Object.fromEntries(effects)
}
