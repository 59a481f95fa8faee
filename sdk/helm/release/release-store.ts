/**
 * The revisions of releases in the Secrets of one cluster, as Helm 3 and 4 store them: both read them and continue them.
 * When to write a revision, and with which status, is the caller's decision.
 */
import type { Client } from '../../engine/client/client.js'
import { listAll } from '../../engine/client/list-all.js'
import { type Secret, secrets } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import { fitRelease, type TrimmedPart } from './fit-release.js'
import { beyondHistory, byNumber } from './history.js'
import { RecordBudget } from './record-budget.js'
import { heldSecret, isRecordOf, type StoredRelease, secretOf, storedReleaseOf } from './stored-release.js'

/** A page of full Secrets is read into memory at once. */
const pageSize = 50

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
  #lastRead: readonly StoredRelease[] | undefined

  /** `nowMs` is the time in milliseconds since 1970, for the labels that Helm sets. */
  constructor(client: Client, nowMs: () => number) {
    this.#client = client
    this.#nowMs = nowMs
  }

  /**
   * All revisions of a release, oldest first. Rejects with `UnreadableReleaseError` if one is damaged, and with `TooManyRecordsError` if
   * all together are too large. Labels alone make no record: on
   * the host of a vcluster, copies of tenants' Secrets have the labels and the type that tenants chose.
   */
  async revisions(namespace: string, name: string, signal?: AbortSignal): Promise<StoredRelease[]> {
    const own = (await this.#records(namespace, name, signal)).filter((secret) => isRecordOf(name, secret))
    const budget = new RecordBudget(`${namespace}/${name}`)
    for (const secret of own) budget.take(sizeOf(secret))
    const revisions: StoredRelease[] = []
    // One after the other, so that the first one that is too large ends it.
    for (const secret of own) revisions.push(await storedReleaseOf(secret, budget))
    this.#lastRead = byNumber(revisions)
    return [...this.#lastRead]
  }

  /** The revisions of the last {@link revisions}; undefined before the first. */
  get lastRead(): readonly StoredRelease[] | undefined {
    return this.#lastRead
  }

  /** The Secrets with the labels of a release, at most the size of a budget. */
  async #records(namespace: string, name: string, signal?: AbortSignal): Promise<Secret[]> {
    let budget = new RecordBudget(`${namespace}/${name}`)
    const list: Client['list'] = async (resource, options) => {
      const page = await this.#client.list(resource, options)
      if (options?.continue === undefined) budget = new RecordBudget(`${namespace}/${name}`)
      for (const item of page.items) budget.take(sizeOf(item as Secret))
      return page
    }
    const options = { namespace, labelSelector: `owner=helm,name=${name}`, limit: pageSize }
    return (await listAll({ list }, secrets, { ...options, ...(signal && { signal }) })).items
  }

  /**
   * Creates a new revision. Rejects with `ApiError` `AlreadyExists` if another program was faster: read again; and with
   * `ReleaseTooLargeError` before anything is written.
   */
  async create(revision: StoredRelease, signal?: AbortSignal): Promise<WrittenRelease> {
    const { text, release, trimmed } = await fitRelease(revision.release)
    const { secret: _, ...fresh } = revision
    const body = secretOf(fresh, text, this.#nowMs())
    const secret = await this.#client.create(secrets, body, { ...(signal && { signal }) })
    return { ...revision, release, secret, trimmed }
  }

  /**
   * Replaces a revision that was read or written. Rejects with `ApiError` `Conflict` if another program wrote it since: read
   * again.
   */
  async update(revision: StoredRelease, signal?: AbortSignal): Promise<WrittenRelease> {
    if (!revision.secret) throw new Error(`revision ${revision.release.version} was not read from a Secret`)
    const { text, release, trimmed } = await fitRelease(revision.release)
    const body = secretOf(revision, text, this.#nowMs())
    const secret = await this.#client.update(secrets, body, { ...(signal && { signal }) })
    return { ...revision, release, secret, trimmed }
  }

  /** Marks a revision that was read as left as it is. Rejects with `ApiError` `Conflict` if another program wrote it since. */
  async hold({ secret }: StoredRelease, held: string, signal?: AbortSignal): Promise<void> {
    if (secret) await this.#client.update(secrets, heldSecret(secret, held), { ...(signal && { signal }) })
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

  /** Deletes the oldest revisions beyond the most that are kept; 0 keeps all. */
  async prune(revisions: readonly StoredRelease[], maxHistory: number, signal?: AbortSignal): Promise<void> {
    for (const revision of beyondHistory(revisions, maxHistory)) await this.delete(revision, signal)
  }
}

const sizeOf = ({ data }: Secret) => data?.release?.length ?? 0
