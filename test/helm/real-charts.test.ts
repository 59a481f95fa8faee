// Tests that a release of a chart that somebody else wrote has the objects that helm gives it: installed, upgraded,
// put right, rolled back and uninstalled, on a real control plane.
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import { namespaces } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { annotationNames } from '../../sdk/helm/annotations/annotation-reader.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import { type ControlPlane, openControlPlane } from '../real/open-control-plane.js'
import { missingAssets } from '../real/real-cluster.js'
import { until } from '../until.js'
import { isWholeRun } from '../whole-run.js'
import { missingEngine, missingPrograms, programs } from './charts.js'
import { type ClusterObjects, ClusterReader, comparable, differences } from './cluster-objects.js'
import { type CorpusChart, corpusCharts, missingCharts } from './corpus-charts.js'
import { keptSnapshots, type Snapshots } from './kept-snapshots.js'
import { playJobs } from './play-jobs.js'
import { answerAbout } from './real-api-services.js'
import { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

/** The limit of all charts together, in milliseconds: each takes 20 to 130 s. */
const limitMs = 2_400_000

const skip = missingAssets('kube-controller-manager') || missingEngine || missingPrograms || missingCharts
const { kind, definition } = releasedKind('Corpus')
const key = { namespace: 'charts', name: 'rel' }

t.setTimeout(limitMs)
// The runner of the tests reads the limit of a file from this line.
t.comment(`timeout=${limitMs}`)

/** A small chart, and one with definitions, that are compared again while an APIService has no backend. */
const withBrokenApi = ['grafana', 'cert-manager']

/** At each change only one, which has hooks and webhooks. The others take many minutes. */
const charts = corpusCharts.filter(({ name }) => isWholeRun || name === 'ingress-nginx')

void t.test('charts of other projects on a real control plane', { skip, timeout: limitMs }, async (t) => {
  const opened = await openControlPlane(t, [definition])
  const plane = new RealControlPlane(opened.transport, {
    kubeconfigFile: opened.cluster.kubeconfigFile,
    home: t.testdirName,
  })
  for (const name of [key.namespace, 'istio-system'])
    await plane.client.create(namespaces, { metadata: { name } })
  const ended = new AbortController()
  const played = playJobs(plane.client, ended.signal)
  t.teardown(async () => {
    ended.abort()
    await played
  })
  await until(async () =>
    (await ClusterReader.open(opened.transport)).existedBefore('ConfigMap istio-system/kube-root-ca.crt'),
  )
  const compare = async (t: Test, chart: CorpusChart, situation: string) => {
    const reader = await ClusterReader.open(opened.transport)
    await new ChartComparison(t, chart, { opened, plane, reader, situation }).compare()
  }
  for (const chart of charts) await t.test(chart.name, (t) => compare(t, chart, 'alone'))
  const backend = corpusCharts.find(({ name }) => name === 'metrics-server')
  if (!backend || !isWholeRun) return
  await plane.helm(programs.at(-1) ?? '', 'default', 'install', 'metrics', backend.archive)
  await until(async () => (await answerAbout(plane.client, 'metrics.k8s.io')) === 503)
  for (const chart of corpusCharts.filter(({ name }) => withBrokenApi.includes(name)))
    await t.test(`${chart.name}, while an APIService has no backend`, (t) => compare(t, chart, 'broken API'))
})

/** The cluster in which a chart is compared. */
interface ComparedCluster {
  readonly opened: ControlPlane
  readonly plane: RealControlPlane
  readonly reader: ClusterReader
  /** Says which other objects are in the cluster. */
  readonly situation: string
}

/** One chart, by helm and by the reconciler, one after the other under the same name. */
class ChartComparison {
  readonly #t: Test
  readonly #chart: CorpusChart
  readonly #opened: ControlPlane
  readonly #plane: RealControlPlane
  readonly #reader: ClusterReader
  readonly #situation: string

  constructor(t: Test, chart: CorpusChart, { opened, plane, reader, situation }: ComparedCluster) {
    this.#t = t
    this.#chart = chart
    this.#opened = opened
    this.#plane = plane
    this.#reader = reader
    this.#situation = situation
  }

  async compare(): Promise<void> {
    const byHelm = await keptSnapshots(await this.#inputs(), async () => {
      const snapshots = await this.#byHelm()
      await this.#timed('clean', this.#clean())
      return snapshots
    })
    const byUs = await this.#byUs()
    await this.#clean()
    for (const step of Object.keys(byHelm) as (keyof Snapshots)[]) {
      const found = differences(byUs[step], byHelm[step])
      const isRandom = (path: string) => this.#chart.random?.some((one) => one.test(path))
      this.#t.strictSame(
        found.filter((path) => !isRandom(path)),
        [],
        `${step}: ${byHelm[step].size} objects`,
      )
    }
  }

  /** All that the objects of helm depend on. */
  async #inputs(): Promise<(string | Buffer)[]> {
    const { archive, ...chart } = this.#chart
    const program = programs.at(-1) ?? ''
    const version = await this.#plane.helm(program, key.namespace, 'version')
    const server = await this.#opened.transport.request({ method: 'GET', path: '/version' })
    const texts = [JSON.stringify(chart), version, Buffer.from(server.body), this.#situation]
    return [await readFile(archive), ...texts]
  }

  async #byHelm(): Promise<Snapshots> {
    const { archive, values = {}, change, skipsDefinitions } = this.#chart
    const program = programs.at(-1) ?? ''
    const helm = (...args: string[]) => this.#plane.helm(program, key.namespace, ...args)
    await this.#timed(
      'helm install',
      helm('install', key.name, archive, ...asFlags(values), ...(skipsDefinitions ? ['--skip-crds'] : [])),
    )
    const installed = await this.#made()
    await this.#timed(
      'helm upgrade',
      helm('upgrade', key.name, archive, ...asFlags({ ...values, ...change })),
    )
    const upgraded = await this.#made()
    await this.#timed('helm rollback', helm('rollback', key.name, '1'))
    const rolledBack = await this.#made()
    await this.#timed('helm uninstall', helm('uninstall', key.name))
    return { installed, upgraded, rolledBack, uninstalled: await this.#settled() }
  }

  async #byUs(): Promise<Snapshots> {
    const { client } = this.#plane
    const { skipsDefinitions } = this.#chart
    const chart = await loadChart(this.#chart.archive)
    const crds = skipsDefinitions ? 'skip' : 'install'
    const operator = await this.#opened.startOperator({
      name: 'corpus',
      leaderElection: false,
      register: (operator) =>
        operator.register(helmController({ resource: kind, chart, crds, annotations: annotationNames })),
    })
    const edit = (body: object) => client.patch(kind, key, { type: 'merge', body })
    await client.create(kind, { metadata: key, spec: this.#chart.values ?? {} })
    await this.#timed('revision 1', this.#reach('1 deployed'))
    const installed = await this.#made()
    await edit({ spec: this.#chart.change })
    await this.#timed('revision 2', this.#reach('2 deployed'))
    const upgraded = await this.#made()
    await this.#timed('drift', this.#isPutRight(upgraded))
    await edit({ metadata: { annotations: { [annotationNames.rollbackTo]: '1' } } })
    await this.#timed('revision 3', this.#reach('3 deployed'))
    const rolledBack = await this.#made()
    await client.delete(kind, key)
    const isGone = async () => (await this.#plane.get(kind, key.namespace, key.name)) === undefined
    await this.#timed('uninstalled', until(isGone))
    const uninstalled = await this.#settled()
    await operator.stop()
    return { installed, upgraded, rolledBack, uninstalled }
  }

  /** Waits for a revision, and says why it is not reached. */
  async #reach(revision: string): Promise<void> {
    const { history, reach } = this.#plane
    await reach.call(this.#plane, revision, key).catch(async (error: unknown) => {
      const revisions = await history.call(this.#plane, key.namespace, key.name)
      const { status } = await this.#plane.client.get(kind, key)
      throw new Error(`${revision} is not reached: ${revisions.join()}: ${JSON.stringify(status)}`, {
        cause: error,
      })
    })
  }

  /** Changes a workload and deletes a Service, and waits until both are as they were. */
  async #isPutRight(wanted: ClusterObjects): Promise<void> {
    const of = (...kinds: string[]) =>
      [...wanted.values()].filter((one) => kinds.includes(one.kind)).slice(0, 1)
    const [workloads, services] = [of('Deployment', 'StatefulSet', 'DaemonSet'), of('Service')]
    const image = [
      { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'a.invalid/drifted' },
    ]
    for (const { path } of workloads) await this.#send('PATCH', path, image)
    for (const { path } of services) await this.#send('DELETE', path)
    for (const { path, object } of [...workloads, ...services])
      await until(async () =>
        isDeepStrictEqual(comparable((await this.#send('GET', path)) as KubeObject), object),
      )
    this.#t.strictSame(differences(await this.#made(), wanted), [], 'put right')
  }

  /** Makes a call. Returns the object; nothing if there is none. */
  async #send(method: 'GET' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const answer = await this.#opened.transport.request({
      method,
      path,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json-patch+json' } }),
    })
    if (answer.status === 404) return undefined
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}`)
    return JSON.parse(Buffer.from(answer.body).toString())
  }

  /** The objects that did not exist before, without the custom resource. */
  async #made(): Promise<ClusterObjects> {
    const made = new Map(await this.#reader.readMade())
    made.delete(`${kind.kind} ${key.namespace}/${key.name}`)
    return made
  }

  /** The same when nothing is being deleted any more. */
  async #settled(): Promise<ClusterObjects> {
    await until(async () => !(await this.#reader.hasDeletions()), { everyMs: 500 })
    return this.#made()
  }

  async #clean(): Promise<void> {
    const left = [...(await this.#made()).values()]
    for (const { path } of left) await this.#send('DELETE', `${path}?propagationPolicy=Background`)
    for (const { path } of left) {
      const isGone = async () => (await this.#send('GET', path)) === undefined
      // A definition has up to a megabyte, and its deletion takes seconds.
      await until(isGone, { withinMs: 300_000, everyMs: 300 }).catch((cause: unknown) => {
        throw new Error(`${path} is still there`, { cause })
      })
    }
  }

  /** Says how long a step took. */
  async #timed<T>(name: string, step: Promise<T>): Promise<T> {
    const began = performance.now()
    const result = await step
    this.#t.comment(`${name}: ${Math.round(performance.now() - began)} ms`)
    return result
  }
}

const asFlags = (values: object) =>
  Object.entries(values).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`])
