import type { KubeObject } from '../../engine/kube/object.js'
import type { BegunEffects } from './begun-effects.js'
import type { Effect, EffectContext, Effects, Thing } from './effect.js'
import type { Journal, JournalEntry } from './journal.js'
import { CreationUncertainError } from './uncertain-error.js'

/** Options of {@link RunEffects}. */
export interface RunEffectsOptions<T extends KubeObject> {
  effects: Effects<T>
  context: EffectContext<T>
  journal: Journal
  begun: BegunEffects
  /** The API group, for the annotation by which a person says that a thing may be created again. */
  group: string
}

/**
 * The effects of one object, for one run. An object whose controller declares effects has the finalizer before it is
 * reconciled.
 */
export class RunEffects<T extends KubeObject> {
  readonly #options: RunEffectsOptions<T>
  #isReleased = false

  constructor(options: RunEffectsOptions<T>) {
    this.#options = options
  }

  /**
   * Makes sure that the thing of an effect exists, and returns its present state.
   *
   * @throws `CreationUncertainError` if a process died while it created the thing and `find` cannot say
   * whether it exists
   */
  async ensure(name: string): Promise<Thing> {
    const { context, journal } = this.#options
    const effect = this.#effect(name)
    const token = this.#tokenOf(name, effect)
    const entry = journal.entries[name]
    const found = await effect.find(context, token)
    if (found === 'unknown') return this.#ensureUnseen(name, entry)
    if (!found) return this.#create(name)
    // It may be older than the journal: the status was lost, or the process died before it wrote the id.
    await this.#noteBegun(name)
    await journal.write(name, { id: found.id })
    return (await effect.update?.(context, found)) ?? found
  }

  /**
   * Removes the things of all effects, those that are declared last first, and forgets each when it is gone. The
   * journal may be lost, so every declared effect is looked for.
   */
  async removeAll(): Promise<void> {
    if (this.#isReleased) return
    const declared = Object.keys(this.#options.effects)
    const others = Object.keys(this.#options.journal.entries).filter((name) => !declared.includes(name))
    for (const name of [...others, ...declared.reverse()]) await this.#remove(name)
  }

  /** Forgets the things without removing them. */
  async releaseAll(): Promise<void> {
    this.#isReleased = true
    for (const name of Object.keys(this.#options.journal.entries)) await this.#options.journal.forget(name)
  }

  async #ensureUnseen(name: string, entry: JournalEntry | undefined): Promise<Thing> {
    if (entry?.id !== undefined) throw unknownError(name, entry.id)
    if (!this.#isBegun(name) || this.#mayRetry(name)) return this.#create(name)
    throw this.#uncertain(name)
  }

  /** Nothing exists of an effect that was not begun. */
  #isBegun(name: string): boolean {
    const { journal, begun } = this.#options
    return journal.entries[name] !== undefined || begun.has(name)
  }

  async #noteBegun(name: string): Promise<void> {
    const { begun } = this.#options
    if (!begun.has(name)) await begun.note(name)
  }

  async #create(name: string): Promise<Thing> {
    const { context, journal } = this.#options
    const effect = this.#effect(name)
    const token = this.#tokenOf(name, effect)
    await this.#noteBegun(name)
    await journal.write(name, { pending: token })
    const made = await effect.create(context, token)
    await journal.write(name, { id: made.id })
    return made
  }

  /** Users may be able to write the status. So the token decides which thing goes, not the id in the status. */
  async #remove(name: string): Promise<void> {
    const { context, journal } = this.#options
    const effect = this.#effect(name)
    const found = await effect.find(context, this.#tokenOf(name, effect))
    if (found === 'unknown') this.#checkRemovable(name)
    else if (found) await effect.remove(context, found.id)
    await journal.forget(name)
  }

  /** Throws, unless a person says that there is no thing: perhaps it was created before the process ended. */
  #checkRemovable(name: string): void {
    const id = this.#options.journal.entries[name]?.id
    if (id !== undefined) throw unknownError(name, id)
    if (this.#isBegun(name) && !this.#mayRetry(name)) throw this.#uncertain(name)
  }

  #effect(name: string): Effect<T> {
    const { effects } = this.#options
    const effect = Object.hasOwn(effects, name) ? effects[name] : undefined
    if (effect) return effect
    const known = Object.keys(effects).join(', ') || 'none'
    throw new TypeError(
      `effect ${name} is not declared: add it to effects of the controller (declared: ${known})`,
    )
  }

  /**
   * The token that was written before the creation is used, even if `token` returns another by now. Without `token` it
   * cannot have changed, so nothing is taken from the status.
   */
  #tokenOf(name: string, effect: Effect<T>): string {
    const { context, journal } = this.#options
    const { object } = context
    if (!effect.token) return `${object.metadata.uid}-${name}`
    return journal.entries[name]?.pending ?? effect.token(object)
  }

  get #retryAnnotation(): string {
    return `${this.#options.group || 'core'}/retry-effect`
  }

  #mayRetry(name: string): boolean {
    return this.#options.context.object.metadata.annotations?.[this.#retryAnnotation] === name
  }

  #uncertain(name: string): CreationUncertainError {
    const token = this.#tokenOf(name, this.#effect(name))
    return new CreationUncertainError(name, token, this.#retryAnnotation)
  }
}

const unknownError = (effect: string, id: string) =>
  new Error(`effect ${effect}: find cannot tell whether ${id} exists`)
