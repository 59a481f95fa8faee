import { type Contest, ContestedFields, wholeObject } from '../../../engine/controller/contested-fields.js'
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../../engine/kube/concat-name.js'
import type { DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { ControllerContext } from '../../../operator/controller/context.js'
import type { AnnotationOptions } from '../../annotations/annotation-options.js'
import type { JsonObject } from '../../chart/json-object.js'
import { type StoredRelease, secretName } from '../../release/stored-release.js'
import type { ReleaseOwner } from '../objects/release-object.js'
import type { HelmResource } from '../options/values-context.js'

type ReleaseId = ReleaseOwner['release']

/** The parts of a run that a contest needs. */
interface ContestedRun extends Pick<ReleaseOwner, 'release' | 'owner'> {
  readonly ctx: Pick<ControllerContext<HelmResource>, 'events'>
  readonly annotations: AnnotationOptions
}

/** The intent that a revision is deployed for, and the revision of its record. */
interface Deployed {
  readonly version: number
  readonly intent: string
}

/**
 * Finds releases whose records another program deletes each time, or replaces by revisions of its own. An operation on
 * such a release is done more and more rarely. A changed intent is carried out at once. There is one RecordContest for
 * each cluster of releases.
 */
export class RecordContest {
  readonly #contested: ContestedFields
  /** The deployed revision of each release. */
  readonly #deployed = new Map<string, Deployed>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#contested = new ContestedFields(clock)
  }

  /** Records that a revision is deployed for an intent. */
  noteDeployed({ release: { namespace, name, version } }: StoredRelease, intent: string): void {
    this.#deployed.set(idOf({ namespace, name }), { version, intent })
  }

  /**
   * Returns the contest if no operation may begin now, because another program undoes it each time; else undefined, and
   * the operation is counted, once, also if it takes several runs or fails. `latest` is the latest revision.
   */
  pause(
    run: Pick<ContestedRun, 'release' | 'ctx'>,
    latest: StoredRelease | undefined,
    intent: string,
  ): Contest | undefined {
    const id = idOf(run.release)
    const deployed = this.#deployed.get(id)
    if (deployed?.intent !== intent || !isUndone(deployed, latest)) return undefined
    if (this.#contested.mayRepair(id, [wholeObject])) {
      this.#contested.recordRepair(id, [wholeObject])
      this.#deployed.delete(id)
      return undefined
    }
    if (this.#contested.unreported(id, [wholeObject]).length > 0) {
      const message = contestMessage(run.release, { deployed, latest })
      this.#contested.recordMessage(id, [wholeObject], message)
      run.ctx.events.warning('FieldContested', message)
    }
    return this.find(run.release)
  }

  /** The contest for the record of a release; undefined if it is not contested now. */
  find(release: ReleaseId): Contest | undefined {
    return this.#contested.find(idOf(release))
  }

  /** Forgets a release whose object is gone. */
  forget(release: ReleaseId): void {
    this.#deployed.delete(idOf(release))
    this.#contested.forget(idOf(release))
  }
}

/** Identifies the intended state of a release without its rendered chart, which may be different each time. */
export function intentOf(
  { owner, annotations: { retry, renew, rollbackTo } }: Pick<ContestedRun, 'owner' | 'annotations'>,
  { metadata }: DeepReadonly<HelmResource>,
  values: JsonObject,
): string {
  return sha256Hex(
    canonicalJson([owner.uid, metadata.generation ?? 0, retry ?? '', renew ?? '', rollbackTo ?? 0, values]),
  )
}

const idOf = ({ namespace, name }: ReleaseId) => `${namespace}/${name}`

/** Whether another program deleted the record of a deployed revision, or wrote the latest record. */
const isUndone = ({ version }: Deployed, latest: StoredRelease | undefined) =>
  !latest || latest.release.version < version || !latest.written

function contestMessage(
  { namespace, name }: ReleaseId,
  { deployed: { version }, latest }: { deployed: Deployed; latest: StoredRelease | undefined },
): string {
  if (latest && latest.release.version >= version)
    return (
      `another program upgrades the release ${name} each time that this one has deployed a revision. Let one of them decide: stop that program, ` +
      "or set onForeignRevision to 'hold'. Until then the release is upgraded more and more rarely."
    )
  return (
    `the record of the release ${name} (Secret ${namespace}/${secretName({ name, version })}) is deleted by another program each time that it ` +
    'is written. Stop that program. Until then the release is installed more and more rarely.'
  )
}
