import { createHash } from 'node:crypto'
import type { KubeObject } from '../../engine/kube/object.js'
import { type BegunEffects, retryAnnotation } from './begun-effects.js'
import type { Effect, EffectContext, Effects, Thing } from './effect.js'
import type { Journal } from './journal.js'
import { formatThing, type ThingRef } from './thing-ref.js'
import { CreationUncertainError } from './uncertain-error.js'

/** Options of {@link EffectSteps}. */
export interface EffectStepsOptions<T extends KubeObject> {
  effects: Effects<T>
  context: Omit<EffectContext<T>, 'key'>
  journal: Journal
  begun: BegunEffects
  /** The API group, for the annotation by which a person says that a thing may be created again. */
  group: string
}

/** The steps that make and remove one thing of an object. */
export class EffectSteps<T extends KubeObject> {
  readonly #options: EffectStepsOptions<T>

  constructor(options: EffectStepsOptions<T>) {
    this.#options = options
  }

  /** @throws `TypeError` if there is no effect with the name */
  effect(name: string): Effect<T> {
    const { effects } = this.#options
    const effect = Object.hasOwn(effects, name) ? effects[name] : undefined
    if (effect) return effect
    const effectNames = Object.keys(effects).join(', ') || 'none'
    throw new TypeError(
      `effect ${name} is not declared: add it to effects of the controller (declared: ${effectNames})`,
    )
  }

  /** Makes sure that a thing exists, and returns its present state. */
  async ensure(thing: ThingRef): Promise<Thing> {
    const { journal } = this.#options
    const effect = this.effect(thing.name)
    const existing = await effect.find(this.#contextOf(thing), this.tokenOf(thing))
    // Taken whatever the answer is: a later attempt needs another decision.
    const mayRetry = await this.#options.begun.takeRetry(thing)
    if (existing === 'unknown') return this.#ensureUnseen(thing, mayRetry)
    if (!existing) return this.#create(thing)
    // The journal may lack the thing: the status was lost, or the process died before it wrote the id.
    await this.#noteBegun(thing)
    await journal.write(thing, { id: existing.id })
    return (await effect.update?.(this.#contextOf(thing), existing)) ?? existing
  }

  /** Users may be able to write the status. So the token decides which thing goes, not the id in the status. */
  async remove(thing: ThingRef): Promise<void> {
    const effect = this.effect(thing.name)
    const context = this.#contextOf(thing)
    const existing = await effect.find(context, this.tokenOf(thing))
    if (existing === 'unknown') return this.#forgetUnseen(thing)
    await this.#options.begun.takeRetry(thing)
    if (!existing) return
    await effect.remove(context, existing.id)
  }

  /**
   * The token that was written before the creation is used, even if `token` returns another by now. Without `token` it
   * cannot have changed, so nothing is taken from the status.
   */
  tokenOf(thing: ThingRef): string {
    const { context, journal } = this.#options
    const { object } = context
    const effect = this.effect(thing.name)
    if (!effect.token) return defaultToken(object.metadata.uid, thing)
    return journal.get(thing)?.pending ?? effect.token(object, thing.key)
  }

  #contextOf({ key }: ThingRef): EffectContext<T> {
    return { ...this.#options.context, key }
  }

  async #ensureUnseen(thing: ThingRef, mayRetry: boolean): Promise<Thing> {
    this.#checkIdUnknown(thing)
    if (!this.#isBegun(thing) || mayRetry) return this.#create(thing)
    throw this.#uncertainError(thing)
  }

  /** Nothing exists of an effect that was not begun. */
  #isBegun(thing: ThingRef): boolean {
    const { journal, begun } = this.#options
    return journal.get(thing) !== undefined || begun.has(thing)
  }

  async #noteBegun(thing: ThingRef): Promise<void> {
    const { begun } = this.#options
    if (!begun.has(thing)) await begun.note(thing)
  }

  async #create(thing: ThingRef): Promise<Thing> {
    const { journal } = this.#options
    const token = this.tokenOf(thing)
    await this.#noteBegun(thing)
    await journal.write(thing, { pending: token })
    const created = await this.effect(thing.name).create(this.#contextOf(thing), token)
    await journal.write(thing, { id: created.id })
    return created
  }

  /**
   * Throws, unless a person says that there is no thing: perhaps it was created before the process ended. The decision
   * is taken last, because it counts once, and the process may end before it has forgotten the thing.
   */
  async #forgetUnseen(thing: ThingRef): Promise<void> {
    const { begun, journal } = this.#options
    this.#checkIdUnknown(thing)
    if (!this.#isBegun(thing)) return
    if (!(await begun.hasRetry(thing))) throw this.#uncertainError(thing)
    await journal.forget([thing])
    if (!(await begun.takeRetry(thing, { forgets: true }))) throw this.#uncertainError(thing)
  }

  #checkIdUnknown(thing: ThingRef): void {
    const id = this.#options.journal.get(thing)?.id
    if (id !== undefined)
      throw new Error(`effect ${formatThing(thing)}: find cannot tell whether ${id} exists`)
  }

  #uncertainError(thing: ThingRef): CreationUncertainError {
    const annotation = retryAnnotation(this.#options.group)
    return new CreationUncertainError(formatThing(thing), this.tokenOf(thing), annotation)
  }
}

/** Other systems limit tags to 63 characters, so the hash is short; the UID keeps it apart from those of others. */
export function defaultToken(uid: string | undefined, { name, key }: ThingRef): string {
  const token = `${uid}-${name}`
  return key === '' ? token : `${token}-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
}
