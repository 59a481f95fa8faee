import { filter, firstValueFrom, type Observable, timeout } from 'rxjs'
import { PluginError } from '../../sdk/kube/error.js'
import { formatKey, type Key } from '../../sdk/kube/key.js'
import { systemClock } from '../../sdk/time/clock.js'
import type { DevClusters } from '../clusters/clusters.js'
import type { CopyChange } from '../copies/copy-log.js'
import { watchCopies } from '../copies/watch-copies.js'
import type { Sample } from '../samples/samples.js'

/** How long nothing may happen before the plugin is taken to have nothing to copy, in milliseconds. */
const quietMs = 30_000

/** The copies of a sample, and of all that is named after it, as they come to the host cluster and change. */
export class CopiesSeen {
  readonly #changes$: Observable<CopyChange>
  readonly #copied = new Set<string>()
  #writes = 0

  constructor({ virtual, host, targetNamespace }: DevClusters, { resource, key }: Sample) {
    const kinds = [resource]
    const isMeant = ({ namespace, name }: Key) =>
      namespace === key.namespace && `${name}-`.startsWith(`${key.name}-`)
    this.#changes$ = watchCopies({
      virtual: { transport: virtual.transport, kinds },
      host: { transport: host.transport, kinds, namespace: targetNamespace },
      clock: systemClock,
    }).pipe(filter(({ side, original }) => side === 'host' && isMeant(original)))
    this.#changes$.subscribe(({ original, verb }) => {
      if (verb !== 'deleted') this.#copied.add(formatKey(original))
      this.#writes++
    })
  }

  /** How many changes of copies there were. */
  get writes(): number {
    return this.#writes
  }

  /** Resolves when so many objects have a copy. Throws `PluginError` `NOT_MIRRORED` when nothing happens for long. */
  async copied(objects: number): Promise<void> {
    if (this.#copied.size >= objects) return
    await this.#until(
      () => this.#copied.size >= objects,
      () =>
        `${this.#copied.size} of ${objects} objects were copied, then none for ${quietMs / 1000} s; pass a sample that the plugin copies with --seed`,
    )
  }

  /** How long after the next change of an object its copy has changed, in milliseconds. */
  async updated(key: Key): Promise<number> {
    const id = formatKey(key)
    const { latencyMs = 0 } = await this.#until(
      ({ original, verb }) => verb === 'updated' && formatKey(original) === id,
      () => `the copy of ${id} did not change within ${quietMs / 1000} s after an annotation of its original`,
    )
    return latencyMs
  }

  #until(holds: (change: CopyChange) => boolean, problem: () => string): Promise<CopyChange> {
    const tooLate = () => {
      throw new PluginError('NOT_MIRRORED', problem())
    }
    return firstValueFrom(this.#changes$.pipe(timeout({ each: quietMs, with: tooLate }), filter(holds)))
  }
}
