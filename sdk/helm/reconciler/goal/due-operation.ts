import type { FailedInputs, StoredRelease } from '../../release/stored-release.js'
import type { ReleaseObject } from '../objects/release-object.js'
import type { MissingDependency } from '../problem/missing-dependency.js'
import type { ReleaseOperation } from '../problem/operation-kind.js'
import type { WantedRelease } from './wanted-release.js'

/** The number and the kind of the next operation: a revision that this SDK did not finish is continued. */
export interface NextRevision {
  readonly version: number
  /** Whether no earlier revision was deployed. */
  readonly isInstall: boolean
  /** The revision that is continued or tried again. */
  readonly continued: StoredRelease | undefined
  readonly kind: ReleaseOperation
  /** The revision that a rollback brings back. */
  readonly to?: number
  /** The inputs that a rollback is for; undefined if a user asks for it. */
  readonly failed?: FailedInputs
}

/** An operation that is to be done or continued: `planDeployment` makes it, and `deploy` carries it out. */
export interface DueOperation {
  readonly revisions: readonly StoredRelease[]
  readonly wanted: WantedRelease
  readonly next: NextRevision
}

/** The progress of an operation on a release, which `deploy` and `uninstall` return in each run. */
export interface OperationProgress {
  /** The deployed revision; undefined while something is waited for. */
  readonly revision?: StoredRelease
  /** The known objects of the release. */
  readonly objects?: readonly ReleaseObject[]
  /** The object of a hook that runs. */
  readonly hook?: ReleaseObject
  /** Names the thing that the operation waits for. */
  readonly waitsFor?: string
  /** The thing that the operation waits for, if the cluster lacks it. */
  readonly missing?: MissingDependency
}
