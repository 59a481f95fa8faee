import { formatKey, type Key } from '../../kube/key.js'
import type { Resource } from '../../kube/resource.js'
import type { Clock } from '../../observe/clock.js'
import type { CopyChange } from './mirror-log.js'
import type { Sample } from './samples.js'

/** Knows which originals of the virtual cluster have got a copy, and waits until all of the samples have. */
export class CopiedSamples {
  readonly #clock: Clock
  readonly #copied = new Set<string>()
  #tell = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes note of a change of a copy. */
  note({ resource, side, original, verb }: CopyChange): void {
    if (verb === 'deleted' || side === 'virtual') return
    this.#copied.add(idOf(resource, original))
    this.#tell()
  }

  /** Resolves with the samples that have no copy: none as soon as all have one, else those left after `limitMs`. */
  missing(samples: readonly Sample[], limitMs: number): Promise<readonly Sample[]> {
    const left = () => samples.filter(({ resource, key }) => !this.#copied.has(idOf(resource, key)))
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

const idOf = (resource: Resource, key: Key) => `${resource.group}/${resource.kind} ${formatKey(key)}`
