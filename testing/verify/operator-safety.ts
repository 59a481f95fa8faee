import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { describeWrite, isEventOrLease, outside, type RecordedWrite } from '../recorder/recorded-write.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'
import type { OperatorVerification } from '../scenario/scenario-harness.js'

/** Data about a run for the rules of operators. */
export interface OperatorSafetyOptions {
  scenario: Pick<OperatorScenario, 'owns'>
  verification: OperatorVerification
}

/** Returns a sentence for each rule of operators that the writes of a run violate. */
export function operatorViolations(
  writes: readonly RecordedWrite[],
  options: OperatorSafetyOptions,
): string[] {
  const objectWrites = writes.filter(
    ({ cluster, target }) => cluster !== outside && !isEventOrLease(target.plural),
  )
  return [
    ...objectWrites.flatMap((write) => violationsOf(write, options)),
    ...lateWritesOfFormerLeaders(writes),
    ...options.verification.externalResources.problems,
  ]
}

const rules = [changesForeignObject, deletesWithoutUid, deletesCollection, movesTransitionTime]

function violationsOf(write: RecordedWrite, options: OperatorSafetyOptions): string[] {
  if (write.status >= 300) return []
  return rules.flatMap((rule) => {
    const violation = rule(write, options)
    return violation === undefined ? [] : [`${describeWrite(write)}: ${violation}`]
  })
}

function changesForeignObject(
  { before, target }: RecordedWrite,
  { scenario, verification }: OperatorSafetyOptions,
): string | undefined {
  if (before === undefined || scenario.owns?.(before)) return undefined
  const { primaries } = verification
  if (primaries.some((resource) => collectionOf(resource) === target.collection)) return undefined
  return isOwned(before, primaries)
    ? undefined
    : 'the existing object has neither a reference to a primary object nor its owner labels, nor annotations that name one'
}

/** The path of the list of a kind. */
export const collectionOf = ({ group, version, plural }: Resource): string =>
  group === '' ? `/api/${version}/${plural}` : `/apis/${group}/${version}/${plural}`

/** The annotation of objects of Helm releases that cannot have a reference. */
const primaryType = 'operator-sdk/primary-resource-type'

function isOwned({ metadata }: KubeObject, primaries: readonly Resource[]): boolean {
  const { ownerReferences = [], labels = {}, annotations = {} } = metadata
  return primaries.some(
    ({ group, kind }) =>
      labels[`${group || 'core'}/owner-uid`] !== undefined ||
      annotations[primaryType] === `${kind}.${group}` ||
      ownerReferences.some((reference) => reference.kind === kind && groupOf(reference.apiVersion) === group),
  )
}

const groupOf = (apiVersion: string) => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '')

/** Without the UID, the delete can hit an object that was created under the same name after the operator's read. */
function deletesWithoutUid({ method, before, preconditionUid }: RecordedWrite): string | undefined {
  if (method !== 'DELETE' || before === undefined || preconditionUid === before.metadata.uid) return undefined
  return "the delete has no precondition with the object's UID"
}

function deletesCollection({ method, target }: RecordedWrite): string | undefined {
  return method === 'DELETE' && target.name === '' ? 'it deletes a whole collection' : undefined
}

interface ConditionTime {
  type: string
  status: string
  lastTransitionTime?: string
}

function movesTransitionTime({ before, after }: RecordedWrite): string | undefined {
  if (before?.metadata.uid !== after?.metadata.uid) return undefined
  const old = new Map(conditionsOf(before).map((condition) => [condition.type, condition]))
  const moved = conditionsOf(after).filter(({ type, status, lastTransitionTime }) => {
    const oldCondition = old.get(type)
    return oldCondition?.status === status && oldCondition.lastTransitionTime !== lastTransitionTime
  })
  if (moved.length === 0) return undefined
  const types = moved.map(({ type }) => type).join(', ')
  return `lastTransitionTime of condition ${types} changes without its status`
}

function conditionsOf(object: KubeObject | undefined): readonly ConditionTime[] {
  const { status } = (object ?? {}) as { status?: { conditions?: readonly ConditionTime[] } }
  return status?.conditions ?? []
}

/**
 * Finds writes of former leaders after the first write of a new leader. A write that was already on the network is
 * allowed.
 */
function lateWritesOfFormerLeaders(writes: readonly RecordedWrite[]): string[] {
  const former = new Set<unknown>()
  let leader: unknown
  return writes.flatMap((write) => {
    if (write.wasHeld) return []
    if (former.has(write.process))
      return [`${describeWrite(write)}: a process writes whose leadership another one has taken over`]
    if (leader !== undefined && write.process !== leader) former.add(leader)
    leader = write.process
    return []
  })
}
