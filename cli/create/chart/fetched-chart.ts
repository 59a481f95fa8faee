/** A chart on a server. */
export interface RemoteChart {
  /** `oci://…`, the URL of an archive, or the name of a chart in a repository. */
  readonly chart: string
  /** The URL of a repository. */
  readonly repo?: string | undefined
  /** A version or a range of versions; default the newest one without a pre-release. */
  readonly version?: string | undefined
  /** The maximum size of its archive, in bytes. */
  readonly limitBytes: number
}

/** The archive of a chart, and its source. */
export interface FetchedChart {
  readonly archive: Buffer
  /** The source for messages, without credentials. */
  readonly source: string
}
