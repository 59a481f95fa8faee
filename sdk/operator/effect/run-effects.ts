import { PermanentError } from '../../engine/kube/error.js'
import { fewNames } from '../../engine/kube/few-names.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Thing } from './effect.js'
import { EffectSteps, type EffectStepsOptions } from './effect-steps.js'
import { KeyedThings } from './keyed-things.js'

/** The time until the status is read again, in milliseconds: a predicate may hide its changes. */
const retryMs = 60_000

/**
 * The effects of one object, for one run. An object whose controller declares effects has the finalizer before it is
 * reconciled.
 */
export class RunEffects<T extends KubeObject> {
  readonly #options: EffectStepsOptions<T>
  readonly #steps: EffectSteps<T>
  readonly #keyed: KeyedThings<T>
  #isReleased = false

  constructor(options: EffectStepsOptions<T>) {
    this.#options = options
    this.#steps = new EffectSteps(options)
    this.#keyed = new KeyedThings(this.#steps, options)
  }

  /**
   * Makes sure that the thing of an effect exists, and returns its present state.
   *
   * @throws `CreationUncertainError` if a process died while it created the thing and `find` cannot say
   * whether it exists
   */
  async ensure(name: string): Promise<Thing> {
    if (this.#steps.effect(name).keyed)
      throw new TypeError(`effect ${name} has keys: call ctx.effects('${name}', keys), or leave out keyed`)
    return this.#steps.ensure({ name, key: '' })
  }

  /** Makes sure that the things with these keys exist, and no others, and returns their present state. */
  async ensureAll(name: string, keys: readonly string[]): Promise<ReadonlyMap<string, Thing>> {
    if (!this.#steps.effect(name).keyed)
      throw new TypeError(`effect ${name} has no keys: set keyed in its declaration, or call ctx.effect`)
    return this.#keyed.ensure(name, keys)
  }

  /**
   * Removes the things of all effects, those that are declared last first, and forgets each when it is gone. The
   * journal may be lost, so every declared effect is looked for.
   *
   * @throws `PermanentError` at the end, if the journal names effects that are not declared
   */
  async removeAll(): Promise<void> {
    if (this.#isReleased) return
    const { effects, journal, begun } = this.#options
    const declared = Object.keys(effects)
    if (Object.values(effects).some(({ keyed }) => keyed)) await begun.refresh()
    for (const name of declared.reverse()) await this.#removeEffect(name)
    const noted = new Set(journal.things.map(({ name }) => name))
    const others = [...noted].filter((name) => !declared.includes(name))
    if (others.length > 0) throw undeclaredError(others)
  }

  /** Forgets the things without removing them. */
  async releaseAll(): Promise<void> {
    this.#isReleased = true
    await this.#options.journal.forget(this.#options.journal.things)
  }

  async #removeEffect(name: string): Promise<void> {
    if (!this.#steps.effect(name).keyed) {
      const thing = { name, key: '' }
      await this.#steps.remove(thing)
      await this.#options.journal.forget([thing])
    }
    await this.#keyed.remove(name)
  }
}

/** An earlier release may have declared them, or somebody who may write the status has named them. */
function undeclaredError(names: readonly string[]): PermanentError {
  const entries = names.map((name) => `status.effects.${name}`)
  const error = new PermanentError(
    `${fewNames(entries)}: no such effect is declared, so the things of these entries may be left. Declare the effects of ` +
      'an earlier release again; or remove the entries from the status if there are no such things, or they may stay.',
  )
  error.retryInMs = retryMs
  return error
}
