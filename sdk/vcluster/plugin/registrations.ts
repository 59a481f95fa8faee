import { PluginError } from '../../engine/kube/error.js'
import { isUnitSource } from '../../engine/manager/unit-source.js'
import type { Logger } from '../../engine/observe/logger.js'
import { ClientHook } from '../hook/client-hook.js'
import { Interceptor } from '../hook/interceptor.js'
import { checkTogether } from '../hook/interceptors.js'
import { unpairedReads } from '../hook/unpaired-reads.js'
import type { Runnable } from '../syncer/runnable.js'
import { Syncer } from '../syncer/syncer.js'
import { checkRunnable } from './check-runnable.js'
import { checkSelections } from './check-selections.js'
import { registrationWarnings } from './registration-warnings.js'
import { sameNameError } from './same-name-error.js'

/** The registrations of a plugin, by name and in order. */
export class Registrations {
  readonly #logger: Logger
  readonly #byName = new Map<string, Runnable>()

  constructor({ logger }: { logger: Logger }) {
    this.#logger = logger
  }

  /** All registrations so far, in their order; later registrations appear in it, too. */
  get values(): Iterable<Runnable> {
    return { [Symbol.iterator]: () => this.#byName.values() }
  }

  /** The registered instances of a class. */
  of<T extends Runnable>(kind: abstract new (...args: never[]) => T): T[] {
    return [...this.#byName.values()].filter((one): one is T => one instanceof kind)
  }

  /**
   * Adds a runnable. Throws `PluginError`: `INVALID_REGISTRATION` (also for controllers that cannot run together),
   * `ALREADY_STARTED` if `isLate`, `DUPLICATE_NAME`, `OVERLAPPING_SYNCERS`, or the problem of a hook or an interceptor.
   */
  add(runnable: Runnable, { isLate }: { isLate: boolean }): void {
    checkRunnable(runnable)
    const { name } = runnable
    if (isLate) throw lateError(name)
    const earlier = this.#byName.get(name)
    if (earlier) throw sameNameError(earlier, runnable)
    if (runnable instanceof Syncer) checkSelections(runnable, [...this.values])
    if (runnable instanceof Interceptor) checkTogether([...this.of(Interceptor), runnable])
    if (isUnitSource(runnable)) runnable.checkBeside([...this.values].filter(isUnitSource))
    if (runnable instanceof ClientHook) this.#warnOf(runnable)
    this.#byName.set(name, runnable)
  }

  /** Likely mistakes in the registrations, a sentence each. */
  warnings(): string[] {
    return [...(this.#byName.size === 0 ? [nothingRegistered] : []), ...registrationWarnings(this.values)]
  }

  #warnOf(hook: ClientHook): void {
    for (const problem of unpairedReads(hook)) this.#logger.warn({ hook: hook.name }, problem)
  }
}

const lateError = (name: string) =>
  new PluginError(
    'ALREADY_STARTED',
    `${name} was registered after plugin.start(); call plugin.register() before it`,
  )

const nothingRegistered =
  'no syncer was registered, so nothing will be copied: call plugin.register(...) before plugin.start()'
