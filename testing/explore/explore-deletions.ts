import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { stateDifferences } from '../compare/state-differences.js'
import { describeWrite, isEventOrLease } from '../recorder/recorded-write.js'
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
 * leave it alone. Throws {@link ScenarioFailure} with the deletions that end otherwise.
 */
export async function exploreDeletions(scenario: OperatorScenario): Promise<Changes> {
  const deletions = [
    ...policies.map((policy) => [`${policy} delete of owned objects`, deleteOwned(policy)] as const),
    ...policies.map((policy) => [`${policy} delete of primary objects`, deletePrimaries(policy)] as const),
    ['delete of primary objects with a foreign finalizer', deleteWithForeignFinalizer] as const,
  ]
  const problems: string[] = []
  for (const [name, deletion] of deletions) {
    const failure = await afterSteps(scenario, deletion)
    problems.push(...failure.map((problem) => `${name}: ${problem}`))
  }
  if (problems.length > 0) throw new ScenarioFailure([{ faults: [], problems }])
  return { changes: deletions.map(([name]) => name), refused: [] }
}

type Deletion = (harness: OperatorHarness) => Promise<string[]>

function deleteOwned(policy: DeletionPolicy): Deletion {
  return async (harness) => {
    const { recorder } = harness
    const before = await endStateOf(recorder)
    for (const { cluster, target } of lastApplies(recorder.writes)) {
      if ((await recorder.read(cluster, targetPath(target))) === undefined) continue
      const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: policy })
      const headers = { 'content-type': 'application/json' }
      await recorder
        .userTransport(cluster)
        .request({ method: 'DELETE', path: targetPath(target), headers, body })
      await harness.settle()
    }
    return stateDifferences(await endStateOf(recorder), before)
  }
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
    return [
      ...(await primaryProblems(harness)),
      ...referring.map(([name]) => `${name} still refers to a deleted object`),
      ...deletedNames.map((name) => `${name} was deleted, although it was to be orphaned`),
    ]
  }
}

async function deleteWithForeignFinalizer(harness: OperatorHarness): Promise<string[]> {
  const { client, recorder } = harness
  await forEachPrimary(harness, async (resource, object) => {
    const finalizers = [...(object.metadata.finalizers ?? []), foreignFinalizer]
    await client.patch(resource, keyOf(object), { type: 'merge', body: { metadata: { finalizers } } })
    await harness.settle()
    await client.delete(resource, keyOf(object))
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
  return [...problems, ...(await primaryProblems(harness))]
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
