import { filter, firstValueFrom, type Observable, timeout } from 'rxjs'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { formatKey, type Key } from '../../../sdk/engine/kube/key.js'
import { systemClock } from '../../../sdk/engine/time/clock.js'
import type { DevClusters } from '../../clusters/clusters.js'
import type { CopyChange } from '../../copies/copy-log.js'
import { watchCopies } from '../../copies/watch-copies.js'
import type { Sample } from '../../samples/samples.js'

/** Time without a change after which the plugin is considered not to copy the objects, in milliseconds. */
const quietMs = 30_000

/** Watches the copies of a sample, and of the objects made from it, on the host. */
export class CopiesSeen {
  readonly #changes$: Observable<CopyChange>
  readonly #kind: string
  readonly #copied = new Set<string>()
  #writes = 0

  constructor({ virtual, host, targetNamespace }: DevClusters, { resource, key }: Sample) {
    const kinds = [resource]
    this.#kind = resource.kind
    const isMeasured = ({ namespace, name }: Key) =>
      namespace === key.namespace && `${name}-`.startsWith(`${key.name}-`)
    this.#changes$ = watchCopies({
      virtual: { transport: virtual.transport, kinds },
      host: { transport: host.transport, kinds, namespace: targetNamespace },
      clock: systemClock,
    }).pipe(filter(({ side, original }) => side === 'host' && isMeasured(original)))
    this.#changes$.subscribe(({ original, verb }) => {
      if (verb !== 'deleted') this.#copied.add(formatKey(original))
      this.#writes++
    })
  }

  /** Number of changes of copies. */
  get writes(): number {
    return this.#writes
  }

  /** Resolves when that many objects have a copy. Throws `PluginError` `NOT_MIRRORED` after a time without changes. */
  async untilCopied(objects: number): Promise<void> {
    if (this.#copied.size >= objects) return
    await this.#until(
      () => this.#copied.size >= objects,
      () =>
        `the plugin has copied ${this.#copied.size} of ${objects} objects of kind ${this.#kind}, and no other for ${quietMs / 1000} s: run vcluster-plugin dev to see why, or pass a sample that it copies with --sample`,
    )
  }

  /** The latency of the next update of an object's copy, in milliseconds. */
  async untilUpdated(key: Key): Promise<number> {
    const id = formatKey(key)
    const { latencyMs = 0 } = await this.#until(
      ({ original, verb }) => verb === 'updated' && formatKey(original) === id,
      () =>
        `the copy of ${this.#kind} ${id} did not change within ${quietMs / 1000} s after its original got an annotation: run vcluster-plugin dev to see why`,
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
