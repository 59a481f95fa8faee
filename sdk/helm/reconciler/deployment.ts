import type { StoredRelease } from '../release/stored-release.js'
import type { NextRevision } from './begin-revision.js'
import type { ReleaseObject } from './release-object.js'
import type { WantedRelease } from './wanted-release.js'

/** An operation that is to be done or continued. */
export interface Deployment {
  readonly revisions: readonly StoredRelease[]
  readonly wanted: WantedRelease
  readonly next: NextRevision
}

/** How far an operation is. */
export interface Deployed {
  /** The deployed revision; nothing while something is waited for. */
  readonly revision?: StoredRelease
  /** The known objects of the release. */
  readonly objects?: readonly ReleaseObject[]
  /** The thing that is waited for, in words. */
  readonly waitsFor?: string
}
