import { formatKey } from '../../sdk/engine/kube/key.js'
import type { Clock } from '../../sdk/engine/time/clock.js'
import type { CopyChange } from '../copies/copy-log.js'
import type { Sample } from '../samples/samples.js'

/** Records which originals have a copy, and waits until all samples have one. */
export class CopiedSamples {
  readonly #clock: Clock
  readonly #copied = new Set<string>()
  #check = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records a change of a copy. */
  record({ resource, side, original, verb }: CopyChange): void {
    if (verb === 'deleted') return
    this.#copied.add(idOf({ resource, key: original, side: side === 'host' ? 'virtual' : 'host' }))
    this.#check()
  }

  /** Resolves with the samples that have no copy: at once when all have one, otherwise after `limitMs`. */
  waitForMissing(samples: readonly Sample[], limitMs: number): Promise<readonly Sample[]> {
    const findMissing = () => samples.filter((sample) => !this.#copied.has(idOf(sample)))
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(limitMs, () => resolve(findMissing()))
      this.#check = () => {
        if (findMissing().length > 0) return
        cancel()
        resolve([])
      }
      this.#check()
    })
  }
}

const idOf = ({ resource, key, side }: Sample) =>
  `${side} ${resource.group}/${resource.kind} ${formatKey(key)}`
