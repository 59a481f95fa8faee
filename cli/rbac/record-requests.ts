import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namespaces } from '../../sdk/engine/kube/builtin.js'
import { isAlreadyExists, PluginError } from '../../sdk/engine/kube/error.js'
import { systemClock as clock, sleep } from '../../sdk/engine/time/clock.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import { runWorkloads } from '../../testing/operator/run-workloads.js'
import type { OperatorCluster } from '../clusters/operator-cluster.js'
import { startOperatorClusters } from '../clusters/operator-clusters.js'
import type { FoundPlugin } from '../program/find-plugin.js'
import { readPluginLine } from '../program/plugin-log.js'
import { type PluginProcess, spawnPlugin } from '../program/plugin-process.js'
import { applyOperatorSamples, type ClusterSamples } from '../samples/operator-samples.js'
import type { RecordedRequest, SampleName } from './recorded-permissions.js'

/** The requests of a run to one cluster, and the samples that the run was about. */
export interface Recording {
  requests: readonly RecordedRequest[]
  /** The samples of all clusters, because the names of other objects are often derived from them. */
  samples: readonly SampleName[]
}

/** An operator is idle when it made no request for this time in milliseconds, except for its Lease. */
const idleAfterMs = 5000
/** The maximum time for the operator to start, and then to become idle, in milliseconds. */
const maxWaitMs = 60_000

/**
 * Runs an operator on embedded clusters on which it may do everything, with the samples of its folder, and records its
 * requests to the named one until it is idle; then the samples are deleted, and it is idle again. Throws `PluginError`
 * `PLUGIN_FAILED` if it ends or never becomes idle.
 */
export async function recordRequests(
  plugin: FoundPlugin,
  description: OperatorDescription,
  cluster: string,
): Promise<Recording> {
  const dir = await mkdtemp(join(tmpdir(), 'vcluster-plugin-rbac-'))
  const recorder = new Recorder()
  try {
    const applied = await runWithSamples(plugin, description, { dir, recorder })
    const samples = applied.flatMap((appliedCluster) => appliedCluster.samples.map(({ key }) => key))
    return {
      requests: recorder.requestsTo(cluster),
      samples: samples.map(({ namespace = '', name }) => ({ namespace, name })),
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

interface RecordedRun {
  /** The folder of the kubeconfigs. */
  readonly dir: string
  readonly recorder: Recorder
}

/** Starts embedded clusters, runs the operator on them, and stops all. Returns the samples that were applied. */
async function runWithSamples(
  plugin: FoundPlugin,
  description: OperatorDescription,
  { dir, recorder }: RecordedRun,
): Promise<ClusterSamples[]> {
  const ended = new AbortController()
  const options = { dir, faults: {}, asAdmin: true, hostPort: 0 }
  const clusters = await startOperatorClusters(description.clusters, {
    ...options,
    onRequest: (request, address) => recorder.add(request, address),
  })
  let child: PluginProcess | undefined
  try {
    await clusters.prepare(description)
    await ensureNamespace(clusters.first, description.ownNamespace)
    for (const each of clusters.all) runWorkloads({ ...each, signal: ended.signal, onProblem: () => {} })
    const kubeconfigs = await clusters.environment(join(dir, 'operator'))
    child = await startOperator(plugin, { ...kubeconfigs, POD_NAMESPACE: description.ownNamespace })
    const samples = { folder: plugin.path, sampleFile: undefined, description }
    const applied = await applyOperatorSamples(clusters.all, samples)
    await recorder.untilIdle(child)
    await deleteSamples(applied)
    await recorder.finish(child)
    return applied
  } finally {
    ended.abort()
    await child?.terminate(clock)
    await clusters.close()
  }
}

/** Deletes the samples, the last one first. */
async function deleteSamples(applied: readonly ClusterSamples[]): Promise<void> {
  for (const { cluster, samples } of applied.toReversed())
    for (const { resource, key } of samples.toReversed()) await cluster.client.delete(resource, key)
}

/** The namespace of the Lease. */
async function ensureNamespace({ client }: OperatorCluster, name: string): Promise<void> {
  await client.create(namespaces, { metadata: { name } }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error
  })
}

/** Starts the operator. Resolves when it runs. */
async function startOperator(plugin: FoundPlugin, variables: Record<string, string>): Promise<PluginProcess> {
  let isRunning = () => {}
  const running = new Promise<void>((resolve) => {
    isRunning = resolve
  })
  const child = spawnPlugin({
    entry: plugin.entry,
    env: { METRICS_ADDRESS: '0', ...variables },
    onLine: (text) => {
      if (readPluginLine(text)?.running) isRunning()
    },
  })
  const late = sleep(clock, maxWaitMs).then(() =>
    Promise.reject(failedError(`it did not run within ${maxWaitMs / 1000} s`)),
  )
  await Promise.race([running, failureOf(child), late]).catch((error) => {
    child.kill()
    throw error
  })
  return child
}

/** Rejects when the operator ends. */
async function failureOf(child: PluginProcess): Promise<never> {
  const { failure, code, signal } = await child.exited
  throw failedError(failure ? `it failed: ${failure.message}` : `it ended with ${signal ?? `status ${code}`}`)
}

const failedError = (why: string) =>
  new PluginError(
    'PLUGIN_FAILED',
    `the requests of the operator could not be recorded, because ${why}; run vcluster-plugin dev to see its log`,
  )

/** The requests of the operator, and when the last one came. */
class Recorder {
  readonly #requests: (RecordedRequest & { cluster: string })[] = []
  #lastMs = clock.now()
  #isClosed = false

  /** Ends the record when the operator is idle: what it does when it is stopped is not part of it. */
  async finish(child: PluginProcess): Promise<void> {
    await this.untilIdle(child)
    this.#isClosed = true
  }

  requestsTo(cluster: string): RecordedRequest[] {
    return this.#requests
      .filter((request) => request.cluster === cluster)
      .map(({ cluster: _, ...request }) => request)
  }

  add(request: RecordedRequest, cluster: string): void {
    if (this.#isClosed || request.resource === '') return
    const { verb, group, resource, subresource, namespace, name } = request
    this.#requests.push({ verb, group, resource, subresource, namespace, name, cluster })
    if (resource !== 'leases') this.#lastMs = clock.now()
  }

  /** Resolves when the operator has made no request for {@link idleAfterMs}. */
  async untilIdle(child: PluginProcess): Promise<void> {
    const endMs = clock.now() + maxWaitMs
    this.#lastMs = clock.now()
    const idle = async () => {
      while (clock.now() - this.#lastMs < idleAfterMs) {
        if (clock.now() > endMs)
          throw failedError(`it made requests for ${maxWaitMs / 1000} s without a rest`)
        await sleep(clock, 100)
      }
    }
    await Promise.race([idle(), failureOf(child)])
  }
}
