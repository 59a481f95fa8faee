// Copying Pods that another program deletes each time.
import { ContestedFields, wholeObject } from '../../engine/controller/contested-fields.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { Clock } from '../../engine/time/clock.js'

/** A Pod of a fork: its key, and the UID of the fork. */
interface PodOfFork {
  readonly key: Key
  readonly fork: string
}

/**
 * Finds Pods of volume copies that another program deletes each time. These are created more and more rarely. The Pods
 * of each attempt have other names, so the deletions at the end of an attempt are not counted.
 */
export class PodContest {
  readonly #contested: ContestedFields
  /** The created Pods by the UIDs of their forks. */
  readonly #created = new Map<string, Set<string>>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#contested = new ContestedFields(clock)
  }

  /**
   * Throws an error if a Pod that does not exist was deleted too often to create it now. Else the creation is counted,
   * once, also if it fails and is tried again.
   */
  checkMayCreate({ key, fork }: PodOfFork): void {
    const id = formatKey(key)
    const created = this.#created.get(fork)
    if (!created?.has(id)) return
    const place = `${fork} ${id}`
    if (!this.#contested.mayRepair(place, [wholeObject]))
      throw new Error(
        `Pod ${id} is deleted by another program each time that it is created. Stop that program. Until then it is created more and more rarely.`,
      )
    this.#contested.recordRepair(place, [wholeObject])
    created.delete(id)
  }

  /** Records that a Pod is created. */
  noteCreated({ key, fork }: PodOfFork): void {
    const created = this.#created.get(fork) ?? new Set()
    this.#created.set(fork, created.add(formatKey(key)))
  }

  /** Forgets the Pods of a fork that needs none any more. */
  forget(fork: string): void {
    this.#created.delete(fork)
  }
}
