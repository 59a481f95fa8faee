import { formatTime } from '../base/clock.js'
import { type OpenObject, recordOf } from '../base/object.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ServerParts } from '../server/context.js'
import type { Entry } from '../store/entry.js'

/** An object that keeps its namespace from ending. */
export interface RemainingObject {
  readonly resource: ServedResource
  readonly finalizers: readonly string[]
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string
  readonly reason: string
  readonly message: string
}

/** The conditions of a namespace whose contents cause no problem; `status_condition_utils.go` of Kubernetes v1.36.3. */
const conditionsWithoutProblem: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  [
    'NamespaceDeletionGroupVersionParsingFailure',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
]

/** Writes into the status of a namespace why it cannot end yet, as kube-controller-manager does. */
export function reportRemaining(
  server: ServerParts,
  entry: Entry,
  remaining: readonly RemainingObject[],
): void {
  const namespace = entry.object as OpenObject
  const { conditions, ...status } = recordOf(namespace.status)
  const before = Array.isArray(conditions) ? (conditions as Condition[]) : []
  const problems = problemsOf(remaining)
  const now = formatTime(server.clock.date())
  const next = conditionsWithoutProblem.map(([type, reason, message]) => {
    const problem = problems[type]
    const withoutProblem = { type, status: 'False', reason, message }
    return withTime(
      problem === undefined ? withoutProblem : { type, status: 'True', ...problem },
      before,
      now,
    )
  })
  if (JSON.stringify(next) === JSON.stringify(before)) return
  const reported: OpenObject = { ...namespace, status: { ...status, conditions: next } }
  server.store.put('namespaces', entry.key, reported)
}

/** The condition with its transition time: the earlier time unless the status has changed. */
function withTime(
  { type, status, reason, message }: Omit<Condition, 'lastTransitionTime'>,
  before: readonly Condition[],
  now: string,
): Condition {
  const previous = before.find((each) => each.type === type && each.status === status)
  return { type, status, lastTransitionTime: previous?.lastTransitionTime ?? now, reason, message }
}

function problemsOf(
  remaining: readonly RemainingObject[],
): Record<string, { reason: string; message: string }> {
  if (remaining.length === 0) return {}
  const resources = countNames(remaining.map(({ resource: { plural, group } }) => `${plural}.${group}`))
  const finalizers = countNames(remaining.flatMap((each) => each.finalizers))
  const finalizersText = 'Some content in the namespace has finalizers remaining'
  return {
    NamespaceContentRemaining: {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${describeCounts(resources, 'has')}`,
    },
    ...(finalizers.size > 0 && {
      NamespaceFinalizersRemaining: {
        reason: 'SomeFinalizersRemain',
        message: `${finalizersText}: ${describeCounts(finalizers, 'in')}`,
      },
    }),
  }
}

function countNames(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const describeCounts = (counts: ReadonlyMap<string, number>, verb: string) =>
  [...counts]
    .map(([name, count]) => `${name} ${verb} ${count} resource instances`)
    .sort()
    .join(', ')
