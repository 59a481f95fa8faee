import { filter, firstValueFrom, Subject, type Subscription, timeout } from 'rxjs'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { formatKey, type Key, keyOf } from '../../../sdk/engine/kube/key.js'
import type { Transport } from '../../../sdk/engine/transport/transport.js'
import { watchResource } from '../../../sdk/engine/watch/watch-resource.js'
import { isHandled } from '../../samples/handled.js'
import type { Sample } from '../../samples/samples.js'

/** Time without a change after which the operator is considered not to handle the objects, in milliseconds. */
const quietMs = 30_000

/** Watches which objects of a kind an operator has handled. */
export class HandledObjects {
  readonly #handled = new Set<string>()
  readonly #changes$ = new Subject<void>()
  readonly #watch: Subscription

  constructor(transport: Transport, { resource }: Pick<Sample, 'resource'>) {
    this.#watch = watchResource({ transport, resource }).subscribe((event) => {
      if (!('object' in event)) return
      if (event.type !== 'deleted' && isHandled(event.object))
        this.#handled.add(formatKey(keyOf(event.object)))
      this.#changes$.next()
    })
  }

  /**
   * Resolves when that many objects are handled. Throws a `PluginError` `NOT_READY` after a time without changes.
   */
  untilAllHandled(count: number): Promise<void> {
    return this.#until(
      () => this.#handled.size >= count,
      () =>
        `${this.#handled.size} of ${count} objects became ready, then none changed for ${quietMs / 1000} s`,
    )
  }

  /** Resolves when the object is handled. Throws as {@link untilAllHandled} does. */
  untilHandled(key: Key): Promise<void> {
    const id = formatKey(key)
    return this.#until(
      () => this.#handled.has(id),
      () => `${id} did not become ready, and nothing changed for ${quietMs / 1000} s`,
    )
  }

  /** Ends the watch. */
  close(): void {
    this.#watch.unsubscribe()
  }

  async #until(isDone: () => boolean, problem: () => string): Promise<void> {
    if (isDone()) return
    const tooLate = () => {
      throw new PluginError(
        'NOT_READY',
        `${problem()}; pass a sample that gets a condition Ready, Available or another that is true with --sample`,
      )
    }
    await firstValueFrom(this.#changes$.pipe(timeout({ each: quietMs, with: tooLate }), filter(isDone)))
  }
}
