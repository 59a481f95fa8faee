import { jsonEqual } from '../../engine/kube/json.js'
import { IntentError } from '../apply/intent-error.js'

/** One call of `ctx.apply`. */
export interface AppliedIntent {
  /** The object, by `idOf`. */
  readonly id: string
  readonly intent: object
  /** Whether the primary owns the object. */
  readonly isOwned: boolean
}

/** The calls of `ctx.apply` of one run: which objects they name, and which are not answered yet. */
export class RunApplies {
  readonly #intents = new Map<string, object>()
  readonly #owned = new Set<string>()
  readonly #pending = new Map<Promise<unknown>, string>()
  #hasEnded = false

  /** The ids of the owned objects that the run applied or is applying. */
  get owned(): ReadonlySet<string> {
    return this.#owned
  }

  /**
   * Sends an apply. Each apply of an object replaces the one before, so a second one with other fields would take back
   * the first, and the next run would send both again.
   *
   * @throws `IntentError` for a second apply with other fields; an error if the run has ended
   */
  async apply<T>({ id, intent, isOwned }: AppliedIntent, send: () => Promise<T>): Promise<T> {
    this.#check(id, intent)
    this.#intents.set(id, intent)
    if (isOwned) this.#owned.add(id)
    const sent = send()
    this.#pending.set(sent, id)
    try {
      return await sent
    } catch (error) {
      // Nothing was changed, so a second apply with other fields cannot revert anything.
      this.#intents.delete(id)
      throw error
    } finally {
      this.#pending.delete(sent)
    }
  }

  /**
   * Refuses further calls, and waits for the pending ones. Returns the ids of the objects that were pending: the
   * controller did not await these calls.
   */
  async end(): Promise<readonly string[]> {
    this.#hasEnded = true
    const left = [...this.#pending]
    await Promise.allSettled(left.map(([sent]) => sent))
    return left.map(([, id]) => id)
  }

  #check(id: string, intent: object): void {
    if (this.#hasEnded)
      throw new Error(
        `ctx.apply of ${id} was called after its run had ended: await every call in reconcile, for example by ` +
          'await Promise.all(list.map(…)); forEach waits for nothing',
      )
    const before = this.#intents.get(id)
    if (before && before !== intent && !jsonEqual(before, intent))
      throw new IntentError(
        `${id} cannot be applied twice in one run with different fields: the second apply takes back what only the first has. ` +
          'Name all fields in one ctx.apply.',
      )
  }
}
