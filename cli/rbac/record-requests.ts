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
import { applyOperatorSamples } from '../samples/operator-samples.js'
import type { RecordedRequest, SampleName } from './recorded-permissions.js'

/** The requests of a run to one cluster, and the samples that the run was about. */
export interface Recording {
  requests: readonly RecordedRequest[]
  /** The samples of all clusters: the names of objects elsewhere are often made from them. */
  samples: readonly SampleName[]
}

/** An operator has come to rest when it made no request for so long, except for its Lease. */
const restMs = 2000
const limitMs = 60_000

/**
 * Runs an operator on embedded clusters on which it may do everything, with the samples of its folder, and records its
 * requests to one of them until it rests; then the samples are deleted, and it rests again. Throws `PluginError`
 * `PLUGIN_FAILED` if it ends or never rests.
 */
export async function recordRequests(
  plugin: FoundPlugin,
  description: OperatorDescription,
  cluster: string,
): Promise<Recording> {
  const dir = await mkdtemp(join(tmpdir(), 'vcluster-plugin-rbac-'))
  const ended = new AbortController()
  const recorder = new Recorder()
  const clusters = await startOperatorClusters(description.clusters, {
    dir,
    faults: {},
    asAdmin: true,
    hostPort: 0,
    onRequest: (request, at) => recorder.add(request, at),
  })
  let child: PluginProcess | undefined
  try {
    await clusters.prepare(description)
    await ensureNamespace(clusters.first, description.ownNamespace)
    for (const one of clusters.all) runWorkloads({ ...one, signal: ended.signal, onProblem: () => {} })
    const kubeconfigs = await clusters.environment(join(dir, 'operator'))
    child = await started(plugin, { ...kubeconfigs, POD_NAMESPACE: description.ownNamespace })
    const applied = await applyOperatorSamples(clusters.all, {
      folder: plugin.path,
      given: undefined,
      description,
    })
    await recorder.rest(child)
    for (const { cluster, samples } of applied.toReversed())
      for (const { resource, key } of samples.toReversed()) await cluster.client.delete(resource, key)
    await recorder.rest(child)
    return {
      requests: recorder.requestsTo(cluster),
      samples: applied.flatMap(({ samples }) =>
        samples.map(({ key: { namespace = '', name } }) => ({ namespace, name })),
      ),
    }
  } finally {
    ended.abort()
    await child?.terminate(clock)
    await clusters.close()
    await rm(dir, { recursive: true, force: true })
  }
}

/** The namespace of the Lease. */
async function ensureNamespace({ client }: OperatorCluster, name: string): Promise<void> {
  await client.create(namespaces, { metadata: { name } }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error
  })
}

/** Starts the operator. Resolves when it runs. */
async function started(plugin: FoundPlugin, variables: Record<string, string>): Promise<PluginProcess> {
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
  const late = sleep(clock, limitMs).then(() =>
    Promise.reject(failed(`it did not run within ${limitMs / 1000} s`)),
  )
  await Promise.race([running, failureOf(child), late]).catch((error) => {
    child.kill()
    throw error
  })
  return child
}

/** Rejects when the operator ends. */
async function failureOf(child: PluginProcess): Promise<never> {
  const { failure, code } = await child.exited
  throw failed(`it ended: ${failure?.message ?? `status ${code}`}`)
}

const failed = (why: string) =>
  new PluginError('PLUGIN_FAILED', `the requests of the operator could not be recorded, because ${why}`)

class Recorder {
  readonly #requests: (RecordedRequest & { cluster: string })[] = []
  #lastMs = clock.now()

  requestsTo(cluster: string): RecordedRequest[] {
    return this.#requests
      .filter((request) => request.cluster === cluster)
      .map(({ cluster: _, ...request }) => request)
  }

  add(request: RecordedRequest, cluster: string): void {
    if (request.resource === '') return
    const { verb, group, resource, subresource, namespace, name } = request
    this.#requests.push({ verb, group, resource, subresource, namespace, name, cluster })
    if (resource !== 'leases') this.#lastMs = clock.now()
  }

  async rest(child: PluginProcess): Promise<void> {
    const endMs = clock.now() + limitMs
    this.#lastMs = clock.now()
    const resting = async () => {
      while (clock.now() - this.#lastMs < restMs) {
        if (clock.now() > endMs) throw failed(`it made requests for ${limitMs / 1000} s without a rest`)
        await sleep(clock, 100)
      }
    }
    await Promise.race([resting(), failureOf(child)])
  }
}
