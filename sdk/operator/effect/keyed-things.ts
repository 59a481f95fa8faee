import chunk from 'lodash/chunk.js'
import groupBy from 'lodash/groupBy.js'
import uniq from 'lodash/uniq.js'
import { PermanentError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { WaitError } from '../apply/wait-error.js'
import type { Thing } from './effect.js'
import type { EffectSteps, EffectStepsOptions } from './effect-steps.js'
import { checkKeys, maxKeys, maxNotedKeys } from './keys.js'

/** The time until the next run looks for further keys, in milliseconds. */
const crowdedMs = 60_000

/**
 * The things of effects with keys. Their keys are in an annotation, which is written before a thing is created, so that
 * they are removed although their keys are not wanted any more, and the status is lost.
 */
export class KeyedThings<T extends KubeObject> {
  readonly #steps: EffectSteps<T>
  readonly #options: EffectStepsOptions<T>

  constructor(steps: EffectSteps<T>, options: EffectStepsOptions<T>) {
    this.#steps = steps
    this.#options = options
  }

  /** Removes the things of other keys first, so that the list of noted keys does not grow without end. */
  async ensure(name: string, keys: readonly string[]): Promise<ReadonlyMap<string, Thing>> {
    const wanted = checkKeys(name, keys)
    this.#checkTokens(name, wanted)
    const failures = new Failures(this.#options.context.signal)
    const isWanted = new Set(wanted)
    const unwanted = this.#knownKeys(name).filter((key) => !isWanted.has(key))
    const isCrowded = unwanted.length > maxNotedKeys
    await failures.gather(() => this.#remove(name, unwanted.slice(0, maxNotedKeys), wanted))
    const things = new Map<string, Thing>()
    for (const key of wanted)
      await failures.gather(async () => {
        if (isCrowded && !this.#hasRoom(name, key)) return
        this.#checkRoom(name, key)
        things.set(key, await this.#steps.ensure({ name, key }))
      })
    failures.check()
    if (isCrowded) throw crowdedError(name, unwanted.length)
    return things
  }

  /** Removes the things of all keys that are known of an effect. */
  async remove(name: string): Promise<void> {
    const known = this.#knownKeys(name)
    await this.#remove(name, known.slice(0, maxNotedKeys))
    if (known.length > maxNotedKeys) throw crowdedError(name, known.length)
  }

  /**
   * The annotation and the journal may each be lost. The empty key is that of a thing that was made before the effect
   * had keys.
   */
  #knownKeys(name: string): readonly string[] {
    const { begun, journal } = this.#options
    const noted = journal.things.filter((thing) => thing.name === name).map(({ key }) => key)
    const all = uniq([...(begun.has({ name, key: '' }) ? [''] : []), ...begun.keys(name), ...noted])
    return this.#steps.effect(name).keyed ? all : all.filter((key) => key !== '')
  }

  /**
   * Removes the things in portions, and forgets each finished portion: users can write many keys to the annotation, and
   * the time of a run is limited.
   */
  async #remove(name: string, keys: readonly string[], wanted: readonly string[] = []): Promise<void> {
    const kept = new Set(wanted.map((key) => this.#steps.tokenOf({ name, key })))
    const failures = new Failures(this.#options.context.signal)
    for (const portion of chunk(keys, maxKeys)) {
      const gone: string[] = []
      for (const key of portion)
        await failures.gather(async () => {
          // A thing stays if a wanted key has the same token.
          if (!kept.has(this.#steps.tokenOf({ name, key }))) await this.#steps.remove({ name, key })
          gone.push(key)
        })
      await this.#forget(name, gone)
    }
    failures.check()
  }

  async #forget(name: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { begun, journal } = this.#options
    await journal.forget(keys.map((key) => ({ name, key })))
    await begun.drop(name, keys)
  }

  #checkTokens(name: string, keys: readonly string[]): void {
    const groups = Object.values(groupBy(keys, (key) => this.#steps.tokenOf({ name, key })))
    const same = groups.find(({ length }) => length > 1)
    if (same)
      throw new PermanentError(
        `effect ${name}: the keys ${same.slice(0, 2).join(' and ')} have the same token`,
      )
  }

  #hasRoom(name: string, key: string): boolean {
    const { begun } = this.#options
    return begun.has({ name, key }) || begun.keys(name).size < maxNotedKeys
  }

  #checkRoom(name: string, key: string): void {
    if (this.#hasRoom(name, key)) return
    throw new Error(
      `effect ${name}/${key}: ${maxNotedKeys} keys are noted; nothing is created before things of former keys are removed`,
    )
  }
}

/** Users can write very many keys, and each is a call of `find`: one run looks for some, and the next one follows. */
function crowdedError(name: string, count: number): WaitError {
  return new WaitError(
    `effect ${name}: ${count} keys are noted that are not needed; ${maxNotedKeys} of them are looked for each minute`,
    { againMs: crowdedMs },
  )
}

/** The failures of things that do not hold up each other. */
class Failures {
  readonly #signal: AbortSignal
  readonly #errors: unknown[] = []

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Does the work and keeps its error. Rethrows a `WaitError`, and any error once the run is aborted. */
  async gather(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (this.#signal.aborted || error instanceof WaitError) throw error
      this.#errors.push(error)
    }
  }

  /** Throws the first error that another attempt may resolve, or else the first error that needs a person. */
  check(): void {
    if (this.#errors.length === 0) return
    throw this.#errors.find((error) => !(error instanceof PermanentError)) ?? this.#errors[0]
  }
}
