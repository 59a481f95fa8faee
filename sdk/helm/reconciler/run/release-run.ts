import type { Client } from '../../../engine/client/client.js'
import type { OwnerReference } from '../../../engine/kube/object.js'
import type { ControllerContext } from '../../../operator/controller/context.js'
import type { AnnotationOptions } from '../../annotations/annotation-options.js'
import type { ReleaseStore } from '../../release/release-store.js'
import type { LeastRecent } from '../../render/least-recent.js'
import type { Lookup } from '../../render/renderer.js'
import type { ServedKinds } from '../objects/capabilities.js'
import type { DriftFinder } from '../objects/drift-finder.js'
import type { LiveObjects } from '../objects/live-objects.js'
import type { KnownReadiness } from '../objects/readiness.js'
import { type ReleaseOwner, type ReleaseTarget, referencesTo } from '../objects/release-object.js'
import type { HelmControllerOptions } from '../options/options.js'
import type { HelmResource } from '../options/values-context.js'
import type { LookedUp } from './looked-up.js'
import type { ReleaseSeed } from './random-seed.js'
import type { RecordContest } from './record-contest.js'
import type { RevisionDigest } from './recorded-digests.js'
import type { SecretTexts } from './secret-texts.js'

/** The parts of a context that operations need: of a controller's run, or of a call. */
export type ReleaseContext = Pick<
  ControllerContext<HelmResource>,
  'signal' | 'clock' | 'logger' | 'events' | 'condition'
>

/** The options that every operation has. */
export type ReleaseRunOptions = Omit<HelmControllerOptions, 'resource' | 'chart'>

/** The parts of an operation on one release. */
export interface ReleaseRun extends ReleaseOwner {
  readonly ctx: ReleaseContext
  readonly target: RunTarget
  readonly options: ReleaseRunOptions
  readonly annotations: AnnotationOptions
  readonly store: ReleaseStore
  readonly live: LiveObjects
  readonly kinds: ServedKinds
  /** Answers `lookup` of the templates. */
  readonly lookup: Lookup
  readonly drift: DriftFinder
  /** The values of Secrets, which stay out of messages. */
  readonly secretTexts: SecretTexts
  /** The seed of random text of the templates. */
  readonly seed: ReleaseSeed
  /** The releases whose random values were reported; undefined if they are not to be reported. */
  readonly reportedRandom?: Set<string>
  /** The digests of the revisions that this operator deployed; undefined if there are none to trust. */
  readonly digests?: readonly RevisionDigest[] | undefined
  /** Whether the status shows that a program without digests deployed the release, so that its records count. */
  readonly isOlderThanDigests?: boolean
  /** The name of this process in the records that it writes. */
  readonly holder: string
}

/** The parts of one run of one key. */
export interface ReconcileRun extends ReleaseRun {
  readonly ctx: ControllerContext<HelmResource>
  readonly options: HelmControllerOptions
  /** The releases whose records other programs delete or replace. */
  readonly recordContest: RecordContest
  /** The writes of digests of deployed revisions, by the states of their records. */
  readonly digestWrites: LeastRecent<number>
  /** Whether the objects of the release run. */
  readonly readiness: KnownReadiness
  /** The objects that templates looked up in this run. */
  readonly looked: readonly LookedUp[]
}

/** The cluster of a release, for one run. */
export interface RunTarget extends ReleaseTarget {
  readonly client: Client
  readonly signal: AbortSignal
}

/** The current time in the format of release records. */
export const timeOf = ({ ctx }: ReleaseRun) => ctx.clock.date().toISOString()

/**
 * The owner of a record of this run: the label with the UID of the custom resource, and owner references where they are
 * possible.
 */
export function recordOwner(run: ReleaseRun): { owner: string; ownerReferences: OwnerReference[] } {
  return { owner: run.owner.uid, ownerReferences: referencesTo(run, run.release.namespace) }
}
