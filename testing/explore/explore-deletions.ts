import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { stateDifferences } from '../compare/state-differences.js'
import { describeWrite, isEventOrLease, type RecordedWrite } from '../recorder/recorded-write.js'
import { targetPath } from '../requests/request-target.js'
import { endStateOf } from '../scenario/end-state.js'
import type { OperatorHarness } from '../scenario/operator-harness.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'
import { afterSteps } from './after-steps.js'
import type { Changes } from './changes.js'
import { lastApplies } from './last-applies.js'
import { ScenarioFailure } from './scenario-failure.js'

/** How a user deletes an object. */
type DeletionPolicy = 'Background' | 'Foreground' | 'Orphan'

const policies: readonly DeletionPolicy[] = ['Background', 'Foreground', 'Orphan']

/** The finalizer that another program has put on an object. */
const foreignFinalizer = 'somebody.example/waits'

/**
 * After the last step, a user deletes the objects in each way: background, foreground and orphan. Owned objects must
 * come back as they were. After the primary objects, nothing may be left that refers to them, and with orphan nothing
 * may be deleted. A primary object with the finalizer of another program must keep only that one, and the operator must
 * leave it alone. Throws {@link ScenarioFailure} with the deletions that end otherwise. `refused` lists the deletes
 * that the API server refuses, and deletions that find no object.
 */
export async function exploreDeletions(scenario: OperatorScenario): Promise<Changes> {
  const deletions = [
    ...policies.map((policy) => [`${policy} delete of owned objects`, deleteOwned(policy)] as const),
    ...policies.map((policy) => [`${policy} delete of primary objects`, deletePrimaries(policy)] as const),
    ['delete of primary objects with a foreign finalizer', deleteWithForeignFinalizer] as const,
  ]
  const changes: string[] = []
  const refused: string[] = []
  const problems: string[] = []
  for (const [name, deletion] of deletions) {
    const result = await afterSteps(scenario, deletion)
    if (result.deleted > 0) changes.push(name)
    else if (result.refused.length === 0) refused.push(`${name}: there was no object to delete`)
    refused.push(...result.refused.map((refusal) => `${name}: ${refusal}`))
    problems.push(...result.problems.map((problem) => `${name}: ${problem}`))
  }
  if (problems.length > 0) throw new ScenarioFailure([{ faults: [], problems }])
  return { changes, refused }
}

/** The result of one way to delete the objects. */
interface DeletionResult {
  /** The number of objects that the API server deleted, or began to delete. */
  readonly deleted: number
  /** The deletes that the API server refused. */
  readonly refused: readonly string[]
  /** The problems after the deletes, one sentence each. */
  readonly problems: readonly string[]
}

type Deletion = (harness: OperatorHarness) => Promise<DeletionResult>

function deleteOwned(policy: DeletionPolicy): Deletion {
  return async (harness) => {
    const { recorder } = harness
    const before = await endStateOf(recorder)
    const refused: string[] = []
    let deleted = 0
    for (const write of lastApplies(recorder.writes)) {
      if ((await recorder.read(write.cluster, targetPath(write.target))) === undefined) continue
      const status = await sendDelete(harness, write, policy)
      if (status < 300) deleted++
      else if (status !== 404) refused.push(describeWrite({ ...write, method: 'DELETE', status }))
      await harness.settle()
    }
    return { deleted, refused, problems: stateDifferences(await endStateOf(recorder), before) }
  }
}

/** The statuses with which an API server, an admission policy or a webhook refuses a delete. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 409, 422])

/** Deletes an object as a user. Returns the status of the answer, also that of a refusal. */
async function sendDelete(
  { recorder }: OperatorHarness,
  { cluster, target }: Pick<RecordedWrite, 'cluster' | 'target'>,
  policy: DeletionPolicy,
): Promise<number> {
  const path = targetPath(target)
  const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: policy })
  const headers = { 'content-type': 'application/json' }
  const { status } = await recorder.userTransport(cluster).request({ method: 'DELETE', path, headers, body })
  if (status < 300 || refusals.has(status)) return status
  throw new Error(`DELETE ${path}: the API server answered ${status}`)
}

function deletePrimaries(policy: DeletionPolicy): Deletion {
  return async (harness) => {
    const owned = await ownedObjects(harness)
    const uids = new Set<string>()
    await forEachPrimary(harness, async (resource, object) => {
      uids.add(object.metadata.uid ?? '')
      await harness.client.delete(resource, keyOf(object), { propagationPolicy: policy })
    })
    await harness.settle()
    const remaining = await ownedObjects(harness)
    const referring = [...remaining].filter(([, { metadata }]) =>
      metadata.ownerReferences?.some(({ uid }) => uids.has(uid)),
    )
    const deletedNames = policy === 'Orphan' ? [...owned.keys()].filter((name) => !remaining.has(name)) : []
    const problems = [
      ...(await primaryProblems(harness)),
      ...referring.map(([name]) => `${name} still refers to a deleted object`),
      ...deletedNames.map((name) => `${name} was deleted, although it was to be orphaned`),
    ]
    return { deleted: uids.size, refused: [], problems }
  }
}

async function deleteWithForeignFinalizer(harness: OperatorHarness): Promise<DeletionResult> {
  const { client, recorder } = harness
  let deleted = 0
  await forEachPrimary(harness, async (resource, object) => {
    const finalizers = [...(object.metadata.finalizers ?? []), foreignFinalizer]
    await client.patch(resource, keyOf(object), { type: 'merge', body: { metadata: { finalizers } } })
    await harness.settle()
    await client.delete(resource, keyOf(object))
    deleted++
  })
  await harness.settle()
  const sent = recorder.writes.length
  const problems: string[] = []
  await forEachPrimary(harness, async (resource, object) => {
    const { finalizers = [] } = object.metadata
    if (finalizers.join() !== foreignFinalizer)
      problems.push(`${resource.plural} ${object.metadata.name} has the finalizers ${finalizers.join(', ')}`)
    const body = { metadata: { annotations: { [foreignFinalizer]: 'still waiting' } } }
    await client.patch(resource, keyOf(object), { type: 'merge', body })
  })
  await harness.settle()
  const writes = recorder.writes.slice(sent).filter(({ target }) => !isEventOrLease(target.plural))
  problems.push(...writes.map((write) => `${describeWrite(write)}: the operator has done its part already`))
  await forEachPrimary(harness, (resource, object) =>
    client.patch(resource, keyOf(object), { type: 'merge', body: { metadata: { finalizers: null } } }),
  )
  await harness.settle()
  return { deleted, refused: [], problems: [...problems, ...(await primaryProblems(harness))] }
}

async function forEachPrimary(
  harness: OperatorHarness,
  work: (resource: Resource, object: KubeObject) => Promise<unknown>,
): Promise<void> {
  const { primaries } = await harness.verification()
  for (const resource of primaries) {
    const { items } = await harness.client.listAll(resource)
    for (const object of items) await work(resource, object)
  }
}

/** The primary objects that are still there, and the external resources that were not removed. */
async function primaryProblems(harness: OperatorHarness): Promise<string[]> {
  const problems: string[] = []
  await forEachPrimary(harness, async ({ plural }, { metadata }) => {
    problems.push(`${plural} ${metadata.name} is still there, with the finalizers ${metadata.finalizers}`)
  })
  const { externalResources } = await harness.verification()
  return [...problems, ...[...externalResources.counts.keys()].map((name) => `${name} is left`)]
}

/** The objects that the operator applied and that exist, by path. */
async function ownedObjects({ recorder }: OperatorHarness): Promise<Map<string, KubeObject>> {
  const objects = new Map<string, KubeObject>()
  for (const { cluster, target } of lastApplies(recorder.writes)) {
    const object = (await recorder.read(cluster, targetPath(target))) as KubeObject | undefined
    if (object) objects.set(`${cluster} ${targetPath(target)}`, object)
  }
  return objects
}
