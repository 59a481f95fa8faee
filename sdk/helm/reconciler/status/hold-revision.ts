import type { DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import { recordedObjects } from '../../release/recorded-objects.js'
import type { StoredRelease } from '../../release/stored-release.js'
import type { HelmResource } from '../options/values-context.js'
import type { ReconcileRun } from '../run/release-run.js'
import { isForeignRevision, reportForeign } from './foreign-operation.js'
import { releaseConditions } from './release-conditions.js'
import { reportDeployed } from './report.js'

/** A condition of a custom resource. */
interface SeenCondition {
  readonly type: string
  readonly observedGeneration?: number
}

const ownConditions: readonly string[] = [...releaseConditions, 'Paused']

/**
 * Leaves a revision of another program as it is, with `onForeignRevision: 'hold'`, until the custom resource changes.
 * The record notes the state of the custom resource at that time. Returns whether the revision is held.
 */
export async function holdRevision(
  run: ReconcileRun,
  latest: StoredRelease,
  resource: DeepReadonly<HelmResource>,
): Promise<boolean> {
  const { ctx, options, release, store } = run
  if (options.onForeignRevision !== 'hold' || !isForeignRevision(run, latest)) return false
  const state = stateOf(run, resource)
  if (latest.held !== undefined && latest.held !== state) return false
  if (latest.held === undefined && hasChanged(resource)) return false
  const { version, info } = latest.release
  if (latest.held === undefined) {
    reportForeign(run, latest, `it is left as it is until the spec of ${ctx.key.name} changes`)
    await store.hold(latest, state, ctx.signal)
  }
  if (info.status === 'deployed')
    await reportDeployed(run, latest, (await recordedObjects(latest.release)).length)
  const message = `revision ${version} of ${release.name} is of another program; it is left as it is until the spec changes`
  ctx.condition('Paused', true, 'ForeignRevision', message)
  return true
}

/**
 * Whether the spec changed after the last run, which did not see the revision yet. The conditions show the generation
 * of that spec. A user who can edit them may edit the spec as well, which ends the pause in any case.
 */
function hasChanged({ metadata, status }: DeepReadonly<HelmResource>): boolean {
  const conditions = (status?.conditions ?? []) as readonly SeenCondition[]
  const seen = conditions.filter(({ type }) => ownConditions.includes(type))
  const generations = seen.map(({ observedGeneration = 0 }) => Number(observedGeneration))
  return seen.length > 0 && Number(metadata.generation ?? 0) > Math.max(...generations)
}

/** The parts of a custom resource whose change ends the pause. */
function stateOf({ annotations }: ReconcileRun, { metadata }: DeepReadonly<HelmResource>): string {
  const { retry, rollbackTo } = annotations
  return JSON.stringify([Number(metadata.generation ?? 0), retry ?? '', rollbackTo ?? 0])
}
