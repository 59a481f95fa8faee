import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { isEventOrLease, type RecordedWrite } from '../recorder/recorded-write.js'
import type { OperatorVerification } from '../scenario/scenario-harness.js'
import { collectionOf } from './operator-safety.js'

/** The parts of the status of an object with a Helm release that the rule reads. */
interface ReleaseStatus {
  readonly deployedRelease?: { readonly resources?: number; readonly chart?: string }
  readonly conditions?: readonly { type: string; status: string; message?: string }[]
}

/** The conditions that every object with a Helm release has, and that are true while its release has failed. */
const failures: ReadonlySet<string> = new Set(['Irreconcilable', 'ReleaseFailed'])

/**
 * Returns a sentence for each object with a Helm release, if no release of the run was ever installed, or if none had
 * an object. Such a run tests neither an installation nor an uninstallation. If one release was installed, others may
 * fail.
 */
export function neverInstalled(
  writes: readonly RecordedWrite[],
  { primaries }: Pick<OperatorVerification, 'primaries'>,
): string[] {
  const collections = new Map(primaries.map((resource) => [collectionOf(resource), resource]))
  const successful = writes.filter(({ status, method }) => status < 300 && method !== 'DELETE')
  const hasObjects = successful.some((write) => isOfChart(write, collections))
  const problems = new Map<string, string>()
  for (const { after, target } of successful) {
    const resource = collections.get(target.collection)
    const { status = {} } = (after ?? {}) as { status?: ReleaseStatus }
    if (!after || !resource || !hasRelease(status)) continue
    if (status.deployedRelease && hasObjects) return []
    const problem = problemOf(status)
    if (problem !== undefined) problems.set(nameOf(resource, after), problem)
  }
  return [...problems].map(([name, problem]) => `the release of ${name} ${problem}`)
}

/** Also hooks count. The records of releases do not, and neither do Events. */
function isOfChart({ target }: RecordedWrite, primaries: ReadonlyMap<string, Resource>): boolean {
  const isRecord = target.plural === 'secrets' && target.name.startsWith('sh.helm.release.v1.')
  return !isRecord && !isEventOrLease(target.plural) && !primaries.has(target.collection)
}

const hasRelease = ({ conditions = [] }: ReleaseStatus) => conditions.some(({ type }) => failures.has(type))

const nameOf = ({ kind }: Resource, { metadata }: KubeObject) =>
  `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`

function problemOf({ conditions = [], deployedRelease }: ReleaseStatus): string | undefined {
  const failed = conditions.find(({ type, status }) => failures.has(type) && status === 'True')
  if (failed)
    return `was never installed: ${failed.message ?? failed.type}; correct the chart, or the values that the steps of the scenario set`
  if (!deployedRelease) return undefined
  return `has no object: the chart ${deployedRelease.chart ?? ''} renders none from these values; correct the chart, or let a step of the scenario set values that enable an object`
}
