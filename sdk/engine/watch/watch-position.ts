import { ApiError } from '../kube/error.js'
import { isEarlier, isLater } from '../kube/resource-version.js'

/**
 * The resourceVersions that one watch has reached: where it can resume, and the latest it has seen. `WatchEvents` moves
 * it with each event; `ResourceWatch` reads it before it begins again.
 */
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

  /** Records the resourceVersion of a complete list. */
  recordList(resourceVersion: string): void {
    this.#latest = resourceVersion
    this.#resumeFrom = resourceVersion
  }

  /** Sets where the next watch resumes; `undefined` means that it begins with a list. */
  resumeAt(resourceVersion: string | undefined): void {
    this.#resumeFrom = resourceVersion
  }

  /** Forgets both positions, after the cluster was restored: new resourceVersions may be earlier than those seen. */
  reset(): void {
    this.#resumeFrom = undefined
    this.#latest = undefined
  }

  /**
   * Records the resourceVersion of an event. A watch sends events in order, so an earlier one comes from a restored
   * server: throws 410.
   */
  advance(resourceVersion: string | undefined): void {
    if (isEarlier(resourceVersion, this.#resumeFrom)) throw wentBackError(resourceVersion, this.#resumeFrom)
    if (resourceVersion === undefined) return
    this.#resumeFrom = resourceVersion
    if (!isEarlier(resourceVersion, this.#latest)) this.#latest = resourceVersion
  }

  /**
   * Throws 410 for an event that is older than the latest resourceVersion seen. A watch may resume from an earlier
   * resourceVersion, see `RestoreDetector`. Such an event either adds an object again that was deleted before the list,
   * or comes from a restored cluster, which has to be listed anyway.
   */
  rejectOlder(resourceVersion: string | undefined): void {
    const isBehind = isEarlier(this.#resumeFrom, this.#latest)
    if (!isBehind || isLater(resourceVersion, this.#latest)) return
    const message = `the watch resumed before resourceVersion ${this.#latest}, and something happened in between; listing again`
    throw new ApiError({ code: 410, reason: 'Expired', message })
  }
}

/** The error that the API server returns for a resourceVersion from which it cannot watch. */
function wentBackError(resourceVersion: string | undefined, latest: string | undefined): ApiError {
  const message = `the watch went back from resourceVersion ${latest} to ${resourceVersion}; listing again`
  return new ApiError({ code: 410, reason: 'Expired', message })
}
