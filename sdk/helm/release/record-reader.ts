import type { Client, ListOptions } from '../../engine/client/client.js'
import { listAll } from '../../engine/client/list-all.js'
import { type Secret, secrets } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import type { KnownRelease, KnownReleases } from './known-releases.js'
import type { RecordBudget } from './record-budget.js'
import {
  hasNameOfRecord,
  isRecordOf,
  releaseSecretType,
  type StoredRelease,
  storedIn,
  storedReleaseOf,
} from './stored-release.js'

/**
 * The numbers of Secrets in a page, which is in memory as a whole. A page of the largest Secrets, or of the largest
 * metadata, has less than 8 MiB, the limit of an API server that a user chooses.
 */
const pageSizes = { secrets: 5, metadata: 20 }
/** The limit of all pages of a list, in bytes. Other data of the Secrets than records counts as well. */
const maxListBytes = 256 * 2 ** 20
/** The number of new Secrets that are read one by one; more of them are read as a list. */
const maxSingleReads = 3

/** Options of {@link RecordReader}. */
export interface RecordReaderOptions {
  readonly client: Client
  readonly known: KnownReleases
  /** The limit of all records that are read. */
  readonly budget: RecordBudget
  readonly signal?: AbortSignal | undefined
}

/** A release of a namespace. */
interface ReleaseKey {
  readonly namespace: string
  readonly name: string
}

/**
 * Reads the records of one release. Those that are known are neither transferred nor unpacked: the list has their
 * metadata alone. Labels and types alone do not make a Secret a record: on the host of a vcluster, copies of tenants'
 * Secrets have labels and types that tenants chose.
 */
export class RecordReader {
  readonly #options: RecordReaderOptions

  constructor(options: RecordReaderOptions) {
    this.#options = options
  }

  /** All revisions, in the order of the API server. */
  async read(key: ReleaseKey): Promise<StoredRelease[]> {
    const { known } = this.#options
    const metadata = await this.#list(key, { metadataOnly: true })
    const listed = metadata.filter((secret) => hasNameOfRecord(key.name, secret))
    if (listed.filter((secret) => !known.find(secret)).length > maxSingleReads) return this.#readAll(key)
    const revisions: StoredRelease[] = []
    // One after the other, so that the first one that is too large ends it.
    for (const secret of listed) {
      const knownRelease = known.find(secret)
      const revision = knownRelease ? this.#knownIn(secret, knownRelease) : await this.#readOne(key, secret)
      if (revision) revisions.push(revision)
    }
    return revisions
  }

  async #readAll(key: ReleaseKey): Promise<StoredRelease[]> {
    const revisions: StoredRelease[] = []
    const secrets = await this.#list(key)
    for (const secret of secrets.filter((one) => isRecordOf(key.name, one)))
      revisions.push(await this.#decode(secret))
    return revisions
  }

  /** Reads one record; undefined if the Secret is gone since the list, or is not a record. */
  async #readOne({ name }: ReleaseKey, { metadata }: Secret): Promise<StoredRelease | undefined> {
    const { client, signal } = this.#options
    const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
    const secret = await client.get(secrets, key, { ...(signal && { signal }) }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    })
    return secret && isRecordOf(name, secret) ? this.#decode(secret) : undefined
  }

  async #decode(secret: Secret): Promise<StoredRelease> {
    const { known, budget } = this.#options
    const before = budget.left
    budget.take(sizeOf(secret))
    const revision = await storedReleaseOf(secret, budget)
    known.note(secret, { release: revision.release, bytes: before - budget.left })
    return revision
  }

  #knownIn(secret: Secret, { release, bytes }: KnownRelease): StoredRelease {
    this.#options.budget.take(bytes)
    return storedIn({ ...secret, type: releaseSecretType }, release)
  }

  /** The Secrets with the labels of a release, at most the size of a budget. */
  async #list(
    { namespace, name }: ReleaseKey,
    listOptions: Pick<ListOptions, 'metadataOnly'> = {},
  ): Promise<Secret[]> {
    const { client, budget, signal } = this.#options
    let bytes = 0
    const list: Client['list'] = async (resource, options) => {
      if (options?.continue === undefined) bytes = 0
      const page = await client.list(resource, { ...options, ...listOptions })
      for (const item of page.items) bytes += sizeOf(item as Secret) + metadataBytes(item)
      budget.check(bytes)
      return page
    }
    const limit = listOptions.metadataOnly ? pageSizes.metadata : pageSizes.secrets
    const options = { namespace, labelSelector: `owner=helm,name=${name}`, limit }
    const allOptions = { ...options, ...(signal && { signal }) }
    return (await listAll({ list }, secrets, allOptions, maxListBytes)).items
  }
}

/** The smallest assumed size of the metadata of an object, in bytes. */
const minBytes = 256

const metadataBytes = ({ metadata: { annotations = {} } }: Pick<Secret, 'metadata'>) =>
  Object.values(annotations).reduce((sum, text) => sum + text.length, minBytes)

const sizeOf = ({ data }: Secret) => data?.release?.length ?? 0
