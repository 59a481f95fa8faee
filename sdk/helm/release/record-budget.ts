/**
 * The limit of all records of a release, packed and unpacked, in bytes. Ten records of large charts need less. Without
 * a limit, users who write Secrets could use up the memory of the program.
 */
const maxBytes = 128 * 2 ** 20

/** The revisions of a release need too much memory, although each one alone does not. */
export class TooManyRecordsError extends Error {
  override readonly name = 'TooManyRecordsError'

  constructor(release: string) {
    super(
      `the records of the release ${release} have more than ${maxBytes / 2 ** 20} MiB together; delete the Secrets of old revisions, or lower maxHistory`,
    )
  }
}

/** Counts the bytes of all records of one release. */
export class RecordBudget {
  readonly #release: string
  #left = maxBytes

  /** `release` is the namespace and the name of the release, for the error. */
  constructor(release: string) {
    this.#release = release
  }

  /** The bytes that are left. */
  get left(): number {
    return this.#left
  }

  /** Throws {@link TooManyRecordsError} if these bytes would exceed the budget. */
  check(bytes: number): void {
    if (this.#left - bytes < 0) throw new TooManyRecordsError(this.#release)
  }

  /** Takes these bytes from the budget. Throws {@link TooManyRecordsError} if it is exceeded. */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new TooManyRecordsError(this.#release)
  }
}
