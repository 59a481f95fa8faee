import { join } from 'node:path'
import type { FaultedRequest } from '../../../apiserver/faults/fault-match.js'
import type { Client } from '../../../sdk/engine/client/client.js'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { runWorkloads } from '../../../testing/operator/run-workloads.js'
import { type DevOperatorClusters, startOperatorClusters } from '../../clusters/operator-clusters.js'
import { applyOperatorSamples, type ClusterSamples } from '../../samples/operator-samples.js'
import type { AppliedSample } from '../../samples/samples.js'
import { UsageError } from '../../terminal/usage-error.js'
import type { MeasureOptions } from '../bench-options.js'
import type { Figures } from '../figures.js'
import { createNumbered, createObject, lastSample, numberedKey } from '../many-objects.js'
import { usageOf, withProgram } from '../measured-process.js'
import { HandledObjects } from './handled-objects.js'

/**
 * Measures an operator: embedded clusters in this process, on which every Deployment becomes ready, and the operator in
 * another. Throws a `UsageError` for an operator with webhooks, a `PluginError` `INVALID_MANIFEST` or `NOT_READY`.
 */
export async function measureOperator(
  options: MeasureOptions,
  description: OperatorDescription,
): Promise<Figures> {
  refuseUnfit(description)
  const writes = { count: 0 }
  const clusters = await startOperatorClusters(description.clusters, {
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
    await clusters.prepare(description)
    for (const cluster of clusters.all)
      runWorkloads({ ...cluster, signal: ended.signal, onProblem: () => {} })
    return await measure(clusters, { options, description, writes })
  } finally {
    ended.abort()
    await clusters.close()
  }
}

function refuseUnfit({ name, webhooks }: OperatorDescription): void {
  if (!webhooks) return
  throw new UsageError(
    `bench measures operators without webhooks, and ${name} has webhooks, which bench does not call. Measure a program that ` +
      'registers the controllers without them.',
  )
}

/** Leases and Events are not written for an object. */
function isWrite({ method, resource }: FaultedRequest): boolean {
  return method !== 'GET' && resource !== 'leases' && resource !== 'events'
}

interface MeasuredRun {
  options: MeasureOptions
  description: OperatorDescription
  writes: { count: number }
}

async function measure(
  clusters: DevOperatorClusters,
  { options, description, writes }: MeasuredRun,
): Promise<Figures> {
  const { program, objects, changes } = options
  const kubeconfigs = await clusters.environment(join(options.dir, 'operator'))
  const measured = {
    entry: program.entry,
    env: { ...kubeconfigs, POD_NAMESPACE: 'default', METRICS_ADDRESS: '127.0.0.1:0' },
  }
  // A first run verifies that the operator handles the sample.
  const verified = await withProgram(measured, async (_pid, up) => {
    await up
    return handledSample(clusters, options, await applySamples(clusters, options, description))
  })
  const { client, sample, handled } = verified
  await createNumbered(client, sample, objects)
  const [startedMs, writesBefore] = [performance.now(), writes.count]
  try {
    return await withProgram(measured, async (pid) => {
      await handled.untilAllHandled(1 + objects)
      const ms = performance.now() - startedMs
      const cold = { ms, ...usageOf(pid), writes: writes.count - writesBefore }
      const latenciesMs = await measureLatencies(verified, { objects, changes })
      return { program: 'operator', kind: sample.resource.kind, objects, changes, cold, latenciesMs }
    })
  } finally {
    handled.close()
  }
}

/** The sample that is measured, and the objects that are handled like it. */
interface VerifiedSample {
  readonly client: Client
  readonly sample: AppliedSample
  readonly handled: HandledObjects
}

/** Waits until the operator has handled the samples, and returns the one to measure. */
async function handledSample(
  clusters: DevOperatorClusters,
  options: MeasureOptions,
  applied: readonly ClusterSamples[],
): Promise<VerifiedSample> {
  const { cluster, sample } = measuredSample(clusters, options, applied)
  const handled = new HandledObjects(cluster.transport, sample)
  await handled.untilHandled(sample.key)
  await untilOthersHandled(applied, sample)
  return { client: cluster.client, sample, handled }
}

/** The time from the creation of each of `changes` more objects until it is handled, in milliseconds. */
async function measureLatencies(
  { client, sample, handled }: VerifiedSample,
  { objects, changes }: Pick<MeasureOptions, 'objects' | 'changes'>,
): Promise<number[]> {
  const latenciesMs: number[] = []
  for (let changeNumber = 1; changeNumber <= changes; changeNumber++) {
    const createdMs = performance.now()
    await createObject(client, sample, objects + changeNumber)
    await handled.untilHandled(numberedKey(sample, objects + changeNumber))
    latenciesMs.push(performance.now() - createdMs)
  }
  return latenciesMs
}

function applySamples(
  { all }: DevOperatorClusters,
  { program: { path: folder }, sample: sampleFile }: MeasureOptions,
  description: OperatorDescription,
): Promise<ClusterSamples[]> {
  return applyOperatorSamples(all, { folder, sampleFile, description })
}

/** The last sample of a kind that the operator defines, in the first cluster that has one. */
function measuredSample(
  { first }: DevOperatorClusters,
  { sample: sampleFile }: MeasureOptions,
  applied: readonly ClusterSamples[],
) {
  const { cluster = first, own = [], file = sampleFile } = applied.find(({ own }) => own.length > 0) ?? {}
  return { cluster, sample: lastSample(own, file) }
}

/**
 * Waits for the samples that are not measured, so that the measured run does not count their writes. A sample that is
 * never handled is ignored.
 */
async function untilOthersHandled(
  applied: readonly ClusterSamples[],
  measured: AppliedSample,
): Promise<void> {
  const others = applied.flatMap(({ cluster, own }) =>
    own.filter((sample) => sample !== measured).map((sample) => ({ cluster, sample })),
  )
  for (const { cluster, sample } of others) {
    const watched = new HandledObjects(cluster.transport, sample)
    await watched.untilHandled(sample.key).catch(ignoreUnhandled)
    watched.close()
  }
}

function ignoreUnhandled(error: unknown): void {
  if (!(error instanceof PluginError && error.code === 'NOT_READY')) throw error
}
