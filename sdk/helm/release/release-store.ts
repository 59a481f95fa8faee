/**
 * The revisions of releases in the Secrets of one cluster, as Helm 3 and 4 store them: both read them and continue
 * them. When to write a revision, and with which status, is the caller's decision.
 */
import type { Client } from '../../engine/client/client.js'
import { type Secret, secrets } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import { type FittingRelease, fitRelease, type TrimmedPart } from './fit-release.js'
import { beyondHistory, byNumber } from './history.js'
import { KnownReleases } from './known-releases.js'
import { RecordBudget } from './record-budget.js'
import { RecordReader } from './record-reader.js'
import { heldSecret, releaseSecret, type StoredRelease } from './stored-release.js'

/** A revision after a write. */
export interface WrittenRelease extends StoredRelease {
  readonly secret: Secret
  /** The parts of the chart that were left out, because the record was too large. */
  readonly trimmed: readonly TrimmedPart[]
}

/** Reads and writes the revisions of releases. */
export class ReleaseStore {
  readonly #client: Client
  readonly #nowMs: () => number
  readonly #known: KnownReleases
  #lastRead: readonly StoredRelease[] | undefined

  /**
   * `nowMs` is the time in milliseconds since 1970, for the labels that Helm sets. `known` is shared by all runs of a
   * program.
   */
  constructor(client: Client, nowMs: () => number, known = new KnownReleases()) {
    this.#client = client
    this.#nowMs = nowMs
    this.#known = known
  }

  /**
   * All revisions of a release, oldest first. Rejects with `UnreadableReleaseError` if one is damaged, and with
   * `TooManyRecordsError` if all together are too large.
   */
  async revisions(namespace: string, name: string, signal?: AbortSignal): Promise<StoredRelease[]> {
    const budget = new RecordBudget(`${namespace}/${name}`)
    const reader = new RecordReader({ client: this.#client, known: this.#known, budget, signal })
    this.#lastRead = byNumber(await reader.read({ namespace, name }))
    return [...this.#lastRead]
  }

  /** The revisions of the last {@link revisions}; undefined before the first. */
  get lastRead(): readonly StoredRelease[] | undefined {
    return this.#lastRead
  }

  /**
   * Creates a new revision. Rejects with `ApiError` `AlreadyExists` if another program was faster: read again; and with
   * `ReleaseTooLargeError` before anything is written.
   */
  async create(revision: StoredRelease, signal?: AbortSignal): Promise<WrittenRelease> {
    const { text, release, trimmed } = await fitRelease(revision.release)
    const { secret: _, ...fresh } = revision
    const body = releaseSecret(fresh, text, this.#nowMs())
    const secret = await this.#client.create(secrets, body, { ...(signal && { signal }) })
    return this.#noteWritten(revision, secret, { release, trimmed, text })
  }

  /**
   * Replaces a revision that was read or written. Rejects with `ApiError` `Conflict` if another program wrote it since:
   * read again.
   */
  async update(revision: StoredRelease, signal?: AbortSignal): Promise<WrittenRelease> {
    if (!revision.secret) throw new Error(`revision ${revision.release.version} was not read from a Secret`)
    const { text, release, trimmed } = await fitRelease(revision.release)
    const body = releaseSecret(revision, text, this.#nowMs())
    const secret = await this.#client.update(secrets, body, { ...(signal && { signal }) })
    return this.#noteWritten(revision, secret, { release, trimmed, text })
  }

  #noteWritten(
    revision: StoredRelease,
    { data: _, ...secret }: Secret,
    { release, trimmed, text }: FittingRelease,
  ): WrittenRelease {
    this.#known.note(secret, { release, bytes: text.length + release.manifest.length })
    return { ...revision, release, secret, trimmed }
  }

  /**
   * Marks a revision as held: it is left unchanged. Rejects with `ApiError` `Conflict` if another program wrote the
   * revision since it was read.
   */
  async hold({ secret }: StoredRelease, held: string, signal?: AbortSignal): Promise<void> {
    if (!secret) return
    const { namespace = '', name = '', resourceVersion = '' } = secret.metadata
    const options = { ...(signal && { signal }) }
    const liveSecret = await this.#client.get(secrets, { namespace, name }, options)
    const asRead = { ...liveSecret, metadata: { ...liveSecret.metadata, resourceVersion } }
    await this.#client.update(secrets, heldSecret(asRead, held), options)
  }

  /** Deletes a revision that was read or written. Rejects with `ApiError` `Conflict` if it changed since. */
  async delete({ secret }: StoredRelease, signal?: AbortSignal): Promise<void> {
    const { namespace = '', name = '', uid = '', resourceVersion = '' } = secret?.metadata ?? {}
    const options = { uid, resourceVersion, ...(signal && { signal }) }
    try {
      await this.#client.delete(secrets, { namespace, name }, options)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  /** Deletes the oldest revisions beyond `maxHistory`, the number that is kept; 0 keeps all. */
  async prune(revisions: readonly StoredRelease[], maxHistory: number, signal?: AbortSignal): Promise<void> {
    for (const revision of beyondHistory(revisions, maxHistory)) await this.delete(revision, signal)
  }
}
