import { join } from 'node:path'
import type { FaultedRequest } from '../../../apiserver/faults/fault-match.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { runWorkloads } from '../../../testing/operator/run-workloads.js'
import { writeKubeconfig } from '../../clusters/kubeconfigs.js'
import { type OperatorCluster, startOperatorCluster } from '../../clusters/operator-cluster.js'
import { applySamples, readSamples } from '../../samples/samples.js'
import { UsageError } from '../../terminal/usage-error.js'
import type { MeasureOptions } from '../bench-options.js'
import type { Figures } from '../figures.js'
import { createObject, createObjects, keyAt, lastSample } from '../many-objects.js'
import { usageOf, withProgram } from '../measured-process.js'
import { HandledObjects } from './handled-objects.js'

/**
 * Measures an operator: an embedded cluster in this process, on which every Deployment becomes ready, and the operator in another.
 * Throws a `UsageError` for an operator that this cluster is not enough for, a `PluginError` `INVALID_MANIFEST` or `NOT_MIRRORED`.
 */
export async function measureOperator(
  options: MeasureOptions,
  description: OperatorDescription,
): Promise<Figures> {
  refuseUnfit(description)
  const writes = { count: 0 }
  const cluster = await startOperatorCluster({
    name: description.clusters[0] ?? 'main',
    dir: options.dir,
    faults: {},
    asAdmin: true,
    hostPort: 0,
    onRequest: (request) => {
      if (isWrite(request)) writes.count += 1
    },
  })
  const ended = new AbortController()
  try {
    await cluster.prepare(description)
    runWorkloads({ ...cluster, signal: ended.signal, onProblem: () => {} })
    return await measure(cluster, { options, description, writes })
  } finally {
    ended.abort()
    await cluster.close()
  }
}

function refuseUnfit({ name, clusters, webhooks }: OperatorDescription): void {
  const reason =
    clusters.length > 1
      ? `has the clusters ${clusters.join(', ')}`
      : webhooks && 'has webhooks, which bench does not call'
  if (reason)
    throw new UsageError(`bench measures operators of one cluster without webhooks, and ${name} ${reason}`)
}

/** Leases and Events are not written for an object. */
function isWrite({ method, resource }: FaultedRequest): boolean {
  return method !== 'GET' && resource !== 'leases' && resource !== 'events'
}

interface Measured {
  options: MeasureOptions
  description: OperatorDescription
  writes: { count: number }
}

async function measure(
  cluster: OperatorCluster,
  { options, description, writes }: Measured,
): Promise<Figures> {
  const { program, objects, changes } = options
  const folder = join(options.dir, 'operator')
  const KUBECONFIG = await writeKubeconfig(folder, cluster.name, cluster.programKubeconfig)
  const measured = {
    entry: program.entry,
    env: {
      KUBECONFIG,
      CLUSTER_KUBECONFIGS: folder,
      POD_NAMESPACE: 'default',
      METRICS_ADDRESS: '127.0.0.1:0',
    },
  }
  // A first run verifies that the operator handles the sample.
  const { sample, handled } = await withProgram(measured, async (_pid, up) => {
    await up
    const sample = await applyOwnSample(cluster, options, description)
    const handled = new HandledObjects(cluster.transport, sample)
    await handled.one(sample.key)
    return { sample, handled }
  })
  await createObjects(cluster.client, sample, objects)
  const [startedMs, writesBefore] = [performance.now(), writes.count]
  try {
    return await withProgram(measured, async (pid) => {
      await handled.all(1 + objects)
      const ms = performance.now() - startedMs
      const cold = { ms, ...usageOf(pid), writes: writes.count - writesBefore }
      const latenciesMs: number[] = []
      for (let at = 1; at <= changes; at++) {
        const createdMs = performance.now()
        await createObject(cluster.client, sample, objects + at)
        await handled.one(keyAt(sample, objects + at))
        latenciesMs.push(performance.now() - createdMs)
      }
      return { program: 'operator', kind: sample.resource.kind, objects, changes, cold, latenciesMs }
    })
  } finally {
    handled.close()
  }
}

/** Applies all samples, and returns the last one of a kind that the operator reconciles. */
async function applyOwnSample(
  { client, transport }: OperatorCluster,
  { program: { path }, sample: given }: MeasureOptions,
  { kinds }: OperatorDescription,
) {
  const file = given ?? 'samples.yaml'
  const objects = await readSamples(path, given, [])
  const samples = await applySamples(objects, { side: 'virtual', file, client, transport })
  const isOwn = ({ kind, group }: { kind: string; group: string }) =>
    kinds.some(({ resource }) => resource.kind === kind && resource.group === group)
  return lastSample(
    samples.filter(({ resource }) => isOwn(resource)),
    file,
  )
}
