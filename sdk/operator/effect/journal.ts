import { isInvalid } from '../../engine/kube/error.js'
import { jsonEqual } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { isGoneAfter } from '../apply/other-incarnation.js'
import { WaitError } from '../apply/wait-error.js'
import { type ApplyStatusOptions, applyStatus } from '../status/apply-status.js'
import { statusOf } from '../status/status-draft.js'

/** The entry of one effect in the status. */
export interface JournalEntry {
  /** The token of a thing that may be about to be created: written before, gone after. */
  readonly pending?: string
  /** The thing that exists. */
  readonly id?: string
}

/** Entries by the name of the effect, in the order in which the effects were begun. */
export type Entries = Readonly<Record<string, JournalEntry>>

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
    this.#entries = entriesOf(statusOf(object).effects)
  }

  get entries(): Entries {
    return this.#entries
  }

  /** Writes the entry of an effect; `undefined` removes it. Resolves when the API server has it. */
  async write(name: string, entry: JournalEntry | undefined): Promise<void> {
    const { [name]: _, ...others } = this.#entries
    const entries = entry ? { ...this.#entries, [name]: entry } : others
    if (jsonEqual(entries, this.#entries)) return
    await this.#apply(entries)
    this.#entries = entries
  }

  /**
   * Removes the entry of an effect whose thing is gone. If others have written the entry, too, an API server may refuse
   * to remove the rest of it. That does not matter: the next run finds no thing.
   */
  async forget(name: string): Promise<void> {
    await this.write(name, undefined).catch((error: unknown) => {
      if (!isInvalid(error)) throw error
    })
  }

  async #apply(effects: Entries): Promise<void> {
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

/** Users may be able to write the status, so entries of another form are left out. */
function entriesOf(effects: unknown): Entries {
  const found = isJsonObject(effects) ? Object.entries(effects) : []
  return Object.fromEntries(
    found.flatMap(([name, given]): [string, JournalEntry][] => {
      const { pending, id } = isJsonObject(given) ? given : {}
      const entry = {
        ...(typeof pending === 'string' && { pending }),
        ...(typeof id === 'string' && { id }),
      }
      return Object.keys(entry).length > 0 ? [[name, entry]] : []
    }),
  )
}
