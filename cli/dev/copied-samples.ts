import { formatKey } from '../../sdk/kube/key.js'
import type { Clock } from '../../sdk/time/clock.js'
import type { CopyChange } from '../copies/copy-log.js'
import type { Sample } from '../samples/samples.js'

/** Knows which originals have got a copy, and waits until all of the samples have. */
export class CopiedSamples {
  readonly #clock: Clock
  readonly #copied = new Set<string>()
  #tell = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes note of a change of a copy. */
  note({ resource, side, original, verb }: CopyChange): void {
    if (verb === 'deleted') return
    this.#copied.add(idOf({ resource, key: original, side: side === 'host' ? 'virtual' : 'host' }))
    this.#tell()
  }

  /** Resolves with the samples that have no copy: none as soon as all have one, else those left after `limitMs`. */
  missing(samples: readonly Sample[], limitMs: number): Promise<readonly Sample[]> {
    const left = () => samples.filter((sample) => !this.#copied.has(idOf(sample)))
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(limitMs, () => resolve(left()))
      this.#tell = () => {
        if (left().length > 0) return
        cancel()
        resolve([])
      }
      this.#tell()
    })
  }
}

const idOf = ({ resource, key, side }: Sample) =>
  `${side} ${resource.group}/${resource.kind} ${formatKey(key)}`
