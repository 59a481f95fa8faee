/** The Helm release of an object, for the inspector; without values and notes, which may hold secrets. */
export interface ReleaseView {
  /** The name of the cluster that it is in, which may be another one than that of the object. */
  readonly cluster: string
  readonly name: string
  readonly namespace: string
  /** Whether the release belongs to the object. */
  readonly isOwn: boolean
  /** The latest revision; null before the first. */
  readonly latest: RevisionView | null
  /** The step of an operation that is not finished; null if there is none. */
  readonly stage: string | null
  /** The names of its objects. */
  readonly objects: readonly string[]
  /** Objects that are not as the deployed revision says; null if that is not known. */
  readonly drift: readonly DriftView[] | null
  /** The names of objects that do not run; null if that is not known. */
  readonly notReady: readonly string[] | null
  /** The latest last; only those that are kept. */
  readonly revisions: readonly RevisionView[]
}

/** A revision of a release. */
export interface RevisionView {
  readonly revision: number
  /** In Helm's words, such as `deployed` and `pending-upgrade`. */
  readonly status: string
  readonly description: string
  /** With its version, such as `memcached-1.2.0`. */
  readonly chart: string
  readonly appVersion: string | null
  readonly atMs: number
  /**
   * In what its objects differ from those of the revision before; null for an old one, for the first, and for one that
   * cannot be read.
   */
  readonly changes: readonly RevisionChangeView[] | null
}

/** An object in which a revision differs from the one before. */
export interface RevisionChangeView {
  /** The kind and the name, such as `Deployment web`; with the group, `Service.serving.knative.dev web`, if needed. */
  readonly object: string
  readonly what: 'added' | 'removed' | 'changed'
  /** The paths of the changed fields. */
  readonly fields: readonly string[]
}

/** An object of a release that is not as it was deployed. */
export interface DriftView {
  /** The kind and the name, such as `Deployment default/web`. */
  readonly object: string
  /** The paths of its fields; empty if it is gone. */
  readonly fields: readonly string[]
}
