/**
 * Finds the objects whose changes may solve the problem of a release: foreign objects in its way, and objects that
 * `lookup` read.
 */
import uniqBy from 'lodash/uniqBy.js'
import { secrets } from '../../../engine/kube/builtin.js'
import type { Key } from '../../../engine/kube/key.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import type { MissingDependency } from '../problem/missing-dependency.js'
import { type ForeignObjects, IrreconcilableError, type IrreconcilableReason } from '../problem/problem.js'
import type { LookedUp } from '../run/looked-up.js'
import type { ReconcileRun } from '../run/release-run.js'

/** The limit of watched objects of each sort; changes of further ones are noticed when the release is tried again. */
const maxWatched = 10
/** The minimum time between two runs for objects that templates look up, in milliseconds: some change constantly. */
const lookupRunsMs = 3_000

/** The reasons that depend on the output of templates, and so on `lookup`. */
const renderReasons: ReadonlySet<IrreconcilableReason> = new Set([
  ...(['InvalidValues', 'NotAllowed', 'ReleaseTooLarge', 'RenderError'] as const),
])

/**
 * Finds the objects whose changes may solve an error about a release. Called after a run that failed; the result is
 * watched like other missing dependencies.
 */
export function inTheWayOf(run: ReconcileRun, error: unknown): MissingDependency[] {
  if (!(error instanceof IrreconcilableError)) return []
  const { foreign } = error
  if (foreign) return foreign.objects.slice(0, maxWatched).map((object) => untilGone(object, foreign))
  if (error.reason === 'ReleaseNameTaken') return [untilRecordsGone(run)]
  return renderReasons.has(error.reason)
    ? uniqBy(run.looked.map(untilChanged), 'what').slice(0, maxWatched)
    : []
}

/** Watches a foreign object until it is gone, or the release may take it over. */
const untilGone = (
  { resource, key }: { resource: Resource; key: Key },
  { release, isOurs = () => false }: ForeignObjects,
): MissingDependency => ({
  what: `${nameIn(resource, key)} out of the way of ${release}`,
  resource,
  isOptional: true,
  fieldSelector: `metadata.name=${key.name}`,
  runsIfAbsent: true,
  ...(key.namespace && { namespace: key.namespace }),
  reactionTo: (object, isGone) => (isGone || isOurs(object) ? 'run' : undefined),
  isThere: async () => true,
})

/** Watches the records of a release of another program until one of them is deleted. */
const untilRecordsGone = ({ release: { namespace, name } }: ReconcileRun): MissingDependency => ({
  what: `the release ${namespace}/${name} of another program to be gone`,
  resource: secrets,
  namespace,
  labelSelector: `owner=helm,name=${name}`,
  isOptional: true,
  runsIfAbsent: true,
  reactionTo: (_, isGone) => (isGone ? 'run' : undefined),
  isThere: async () => true,
})

/** Watches what a template looked up until it changes. */
const untilChanged = ({ cluster, resource, namespace, name }: LookedUp): MissingDependency => ({
  what: `a change of ${nameIn(resource, { namespace, name })} for lookup`,
  resource,
  cluster,
  isOptional: true,
  leastMs: lookupRunsMs,
  ...(namespace && { namespace }),
  ...(name && { fieldSelector: `metadata.name=${name}` }),
  reactionTo: () => 'run',
  isThere: async () => true,
})

const nameIn = (resource: Resource, { namespace, name }: Key) =>
  `${formatResource(resource)} ${namespace}/${name}`
