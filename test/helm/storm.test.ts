// Tests a release whose operator is killed again and again while hooks run, on a real control plane.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { configMaps, secrets } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { killAtExit } from '../kill-at-exit.js'
import { typeScriptFlags } from '../plugin-process.js'
import { openControlPlane } from '../real/open-control-plane.js'
import { missingAssets } from '../real/real-cluster.js'
import { until } from '../until.js'
import { ClusterReader } from './cluster-objects.js'
import { playJobs } from './play-jobs.js'
import { RealControlPlane } from './real-control-plane.js'
import { stormEvents, stormy } from './storm-chart.js'

const limitMs = 600_000
const skip = missingAssets('kube-controller-manager')
const key = { namespace: 'default', name: 'storm' }
const jobs: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }
const main = 'test/helm/storm-operator.ts'
const args = [...typeScriptFlags(main), main]
/** Kills for each of an installation, an upgrade and an uninstallation. */
const kills = 4

t.setTimeout(limitMs)
t.comment(`timeout=${limitMs}`)

void t.test(
  'hooks run once each while the operator is killed at random',
  { skip, timeout: limitMs },
  async (t) => {
    const { cluster, client, transport } = await openControlPlane(t, [stormy.definition])
    const plane = new RealControlPlane(transport, {
      kubeconfigFile: cluster.kubeconfigFile,
      home: t.testdirName,
    })
    const reader = await ClusterReader.open(transport)
    const ended = new AbortController()
    const made = new Map<string, string>()
    const loops = [playJobs(client, ended.signal), noteJobs(made, ended.signal)]
    t.teardown(async () => {
      ended.abort()
      await Promise.all(loops)
    })

    /** Notes each Job by its UID, with its name and the run that made it. */
    async function noteJobs(noted: Map<string, string>, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        for (const { metadata } of (await client.list(jobs, { namespace: 'default' })).items)
          noted.set(metadata.uid ?? '', metadata.name ?? '')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }

    function startOperator(): ChildProcess {
      const env = { ...process.env, KUBECONFIG: cluster.kubeconfigFile, METRICS_ADDRESS: '0' }
      const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
      killAtExit(child)
      return child
    }

    /** Kills before the end of a step. */
    let interrupted = 0

    /**
     * Kills the operator some time after it has begun to work on a step, several times, and then lets it end the step.
     */
    async function storm(isDone: () => Promise<boolean>): Promise<void> {
      for (let count = 0; count < kills; count++) {
        const jobsBefore = made.size
        const child = startOperator()
        await until(async () => made.size > jobsBefore || (await isDone()))
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_000))
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        if (await isDone()) break
        interrupted++
      }
      t.comment(`${made.size} Jobs and ${interrupted} interrupted runs so far`)
      const last = startOperator()
      await until(isDone)
      last.kill('SIGKILL')
      if (last.exitCode === null && last.signalCode === null) await once(last, 'exit')
    }

    const isAt = (revision: string) => async () =>
      (await plane.history('default', 'storm')).at(-1) === revision
    const names = () => [...made.values()].sort()
    const expected = (...events: string[]) => events.map((event) => `storm-${event}`).sort()

    await client.create(stormy.kind, { metadata: key, spec: { text: 'one' } })
    await storm(isAt('1 deployed'))
    t.strictSame(names(), expected('pre-install', 'post-install'), 'installation')
    await client.patch(stormy.kind, key, { type: 'merge', body: { spec: { text: 'two' } } })
    await storm(isAt('2 deployed'))
    t.match(await plane.get(configMaps, 'default', 'storm'), { data: { text: 'two' } })
    t.strictSame(names(), expected(...stormEvents.slice(0, 4)), 'upgrade')
    await client.delete(stormy.kind, key)
    await storm(async () => (await plane.get(stormy.kind, 'default', 'storm')) === undefined)
    t.strictSame(names(), expected(...stormEvents), 'uninstallation')
    t.ok(interrupted > 0, 'kills came in time')
    const isGoing = (object: KubeObject) => object.metadata.deletionTimestamp !== undefined
    await until(async () => !(await client.list(jobs)).items.some(isGoing))
    t.strictSame(await reader.namesMade(), [], 'nothing is left')
    const { items } = await client.list(secrets, { labelSelector: 'owner=helm' })
    t.strictSame(
      items.map(({ metadata }) => metadata.name),
      [],
      'no record',
    )
  },
)
