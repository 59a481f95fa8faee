import { isInvalid } from '../../engine/kube/error.js'
import { jsonEqual } from '../../engine/kube/json.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { isGoneAfter } from '../apply/other-incarnation.js'
import { WaitError } from '../apply/wait-error.js'
import { type ApplyStatusOptions, applyStatus } from '../status/apply-status.js'
import { statusOf } from '../status/status-draft.js'
import { type Entries, type JournalEntry, readEntries, storedEntries } from './journal-entries.js'
import { formatThing, type ThingRef } from './thing-ref.js'

/**
 * The effects of one object, in `status.effects`. Each step is written before it is done, by a patch of its own: the
 * status draft of a run is written only at its end.
 */
export class Journal {
  readonly #object: KubeObject
  readonly #options: ApplyStatusOptions
  #entries: Entries

  /** The field manager of the options owns `status.effects`, apart from the rest of the status. */
  constructor(object: KubeObject, options: ApplyStatusOptions) {
    this.#object = object
    this.#options = options
    this.#entries = readEntries(statusOf(object).effects)
  }

  /** The things that have an entry, in the order in which they were begun. */
  get things(): readonly ThingRef[] {
    return [...this.#entries.values()].map(({ thing }) => thing)
  }

  get(thing: ThingRef): JournalEntry | undefined {
    return this.#entries.get(formatThing(thing))?.entry
  }

  /** Writes the entry of a thing. Resolves when the API server has it. */
  async write(thing: ThingRef, entry: JournalEntry): Promise<void> {
    await this.#change(new Map(this.#entries).set(formatThing(thing), { thing, entry }))
  }

  /**
   * Removes the entries of things that are gone. If others have written them, too, an API server may refuse to remove
   * the rest. That does not matter: the next run finds no thing.
   */
  async forget(things: readonly ThingRef[]): Promise<void> {
    const gone = new Set(things.map(formatThing))
    const entries = new Map([...this.#entries].filter(([name]) => !gone.has(name)))
    await this.#change(entries).catch((error: unknown) => {
      if (!isInvalid(error)) throw error
    })
  }

  async #change(entries: Entries): Promise<void> {
    const stored = storedEntries(entries)
    if (jsonEqual(stored, storedEntries(this.#entries))) return
    await this.#apply(stored)
    this.#entries = entries
  }

  async #apply(effects: ReturnType<typeof storedEntries>): Promise<void> {
    const { cluster, resource } = this.#options
    // A map whose last entry is left out would become null, and so would a status without members.
    const body = Object.keys(effects).length > 0 ? { status: { effects } } : {}
    try {
      await applyStatus(this.#object, body, this.#options)
    } catch (error) {
      if (await isGoneAfter(error, this.#object, { client: cluster.client, resource }))
        throw new WaitError(`${resource.kind} ${formatKey(keyOf(this.#object))} is gone`)
      throw error
    }
  }
}
