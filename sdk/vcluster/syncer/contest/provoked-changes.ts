import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../../engine/kube/concat-name.js'
import type { Clock } from '../../../engine/time/clock.js'

/** The content of a copy after a write. */
interface Content {
  /** A digest, because the content may be secret, and long. */
  readonly digest: string
  /** The time of the write, in milliseconds of the clock. */
  readonly atMs: number
}

/** The time after which a write is forgotten, in milliseconds; longer than any pause. */
const memoryMs = 15 * 60_000

/**
 * Remembers the contents of copies after the writes that recorded a change of the host. A copy that then differs from
 * its original, although it still has this content, was changed by admission during such a write. `CopyContest` counts
 * such changes: each causes more writes, and with them the next change.
 */
export class ProvokedChanges {
  readonly #clock: Pick<Clock, 'now'>
  /** By the keys of the copies, the oldest first. */
  readonly #contents = new Map<string, Content>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Records the content of a copy after the last write of an exchange. */
  record(id: string, content: unknown): void {
    const nowMs = this.#clock.now()
    for (const [oldId, { atMs }] of this.#contents) {
      if (atMs > nowMs - memoryMs) break
      this.#contents.delete(oldId)
    }
    this.#contents.delete(id)
    this.#contents.set(id, { digest: digestOf(content), atMs: nowMs })
  }

  /** Whether a copy still has the content that it had after the last write of an exchange. */
  has(id: string, content: unknown): boolean {
    const found = this.#contents.get(id)
    return found !== undefined && found.digest === digestOf(content)
  }
}

const digestOf = (content: unknown) => sha256Hex(canonicalJson(content)).slice(0, 16)
