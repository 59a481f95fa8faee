import { ApiError } from '../kube/error.js'
import { isEarlier, isLater } from '../kube/resource-version.js'

/** The resourceVersions that one watch has reached: where it can resume, and the latest it has seen. */
export class WatchPosition {
  #resumeFrom: string | undefined
  #latest: string | undefined

  /** The resourceVersion at which a watch can resume; `undefined` if only a list can follow. */
  get resumeFrom(): string | undefined {
    return this.#resumeFrom
  }

  /** The latest resourceVersion that was seen. */
  get latest(): string | undefined {
    return this.#latest
  }

  /** A list is complete. */
  listed(resourceVersion: string): void {
    this.#latest = resourceVersion
    this.#resumeFrom = resourceVersion
  }

  /** The next watch resumes here; `undefined` means that it begins with a list. */
  resumeAt(resourceVersion: string | undefined): void {
    this.#resumeFrom = resourceVersion
  }

  /** The cluster was restored: its resourceVersions may be earlier than those seen before. */
  restored(): void {
    this.#resumeFrom = undefined
    this.#latest = undefined
  }

  /** A watch sends events in order, so an earlier event comes from a server that was set back. Throws 410 for it. */
  advance(resourceVersion: string | undefined): void {
    if (isEarlier(resourceVersion, this.#resumeFrom)) throw setBack(resourceVersion, this.#resumeFrom)
    if (resourceVersion === undefined) return
    this.#resumeFrom = resourceVersion
    if (!isEarlier(resourceVersion, this.#latest)) this.#latest = resourceVersion
  }

  /**
   * Throws 410 for an event that is older than the latest resourceVersion seen. A watch may resume before that one, see
   * `RestoreDetector`. Such an event is about an object that was deleted before the list, and would bring it back; or a
   * restored cluster wrote it, and a list is needed anyway.
   */
  refusePast(resourceVersion: string | undefined): void {
    const isBehind = isEarlier(this.#resumeFrom, this.#latest)
    if (!isBehind || isLater(resourceVersion, this.#latest)) return
    const message = `the watch resumed before resourceVersion ${this.#latest}, and something happened in between; listing again`
    throw new ApiError({ code: 410, reason: 'Expired', message })
  }
}

/** The error that the API server returns for a resourceVersion from which it cannot watch. */
function setBack(resourceVersion: string | undefined, latest: string | undefined): ApiError {
  const message = `the watch went back from resourceVersion ${latest} to ${resourceVersion}; listing again`
  return new ApiError({ code: 410, reason: 'Expired', message })
}
