// Tests how workloads of every kind sleep and wake.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { createClient } from '../../engine/client/create-client.js'
import { discoverKinds } from '../../engine/client/discover-kinds.js'
import { deployments } from '../../engine/kube/builtin.js'
import { cronJobs, daemonSets, jobs, statefulSets } from '../../engine/kube/builtin-workloads.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { clientCluster } from './client-cluster.js'
import type { WorkloadName } from './scaling.js'

const modules: Resource = {
  group: 'batch.forkspacer.com',
  version: 'v1',
  kind: 'Module',
  plural: 'modules',
  namespaced: true,
}
const server = await createApiServer({ name: 'main' })
const transport = inProcessTransport(server)
const client = createClient({ transport })
t.teardown(() => server.close())

const noted: string[] = []
const clusterWith = (options: { keepVolumes?: boolean } = {}) =>
  clientCluster({
    client,
    cluster: { name: 'main', served: (apiVersion) => discoverKinds(transport, apiVersion) },
    owner: { cluster: 'main', resource: modules, key: { namespace: 'default', name: 'shop' }, uid: 'u1' },
    fieldManager: 'test.modules',
    clock: new VirtualClock(),
    onSleep: async (workloads: readonly WorkloadName[]) =>
      void noted.push(workloads.map(({ kind, name }) => `${kind} ${name}`).join()),
    ...options,
  })
const cluster = clusterWith()

const template = (name: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
})
const job = (name: string) => {
  const { metadata, spec } = template(name)
  return { template: { metadata, spec: { ...spec, restartPolicy: 'Never' } } }
}
const selecting = (name: string) => ({ selector: { matchLabels: { app: name } }, template: template(name) })
const of = (kind: string, name: string, spec: object, apiVersion = 'apps/v1') => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
})
const deployment = (name: string, replicas = 2) => of('Deployment', name, { replicas, ...selecting(name) })
const claims = {
  volumeClaimTemplates: [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
}
const set = (name: string, whenScaled: string) =>
  of('StatefulSet', name, {
    replicas: 2,
    serviceName: name,
    ...selecting(name),
    ...claims,
    persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted: 'Retain' },
  })

const live = async <T extends KubeObject>(resource: Resource<T>, name: string): Promise<T> =>
  client.get(resource, { namespace: 'default', name })
const scale = (name: string, replicas: number) =>
  client.patch(deployments, { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas } } })
const notesOf = ({ metadata: { annotations = {} } }: KubeObject) =>
  Object.keys(annotations).filter((name) => name.startsWith('forkspacer.com/'))

void t.test('a workload wakes by its note, without the result of the sleep', async (t) => {
  await cluster.apply([deployment('noted')])
  noted.length = 0
  await cluster.scaleDown(deployment('noted'))
  t.strictSame(noted, ['Deployment noted'], 'it is written down first')
  await cluster.scaleUp(deployment('noted'))
  t.equal((await live(deployments, 'noted')).spec?.replicas, 2)
  await cluster.scaleDown(deployment('noted'))
  await cluster.scaleUp([])
  t.equal((await live(deployments, 'noted')).spec?.replicas, 0, 'it is not named')
  const body = { metadata: { annotations: { 'forkspacer.com/replicas': null } } }
  await client.patch(deployments, { namespace: 'default', name: 'noted' }, { type: 'merge', body })
  const known = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'noted', replicas: 4 }]
  await cluster.scaleUp(deployment('noted'), { known })
  t.equal((await live(deployments, 'noted')).spec?.replicas, 4, 'somebody removed its note')
})

void t.test('replicas that somebody sets during the sleep stay, and the note goes', async (t) => {
  await cluster.apply([deployment('edited')])
  const answer = await cluster.scaleDown(deployment('edited'))
  await scale('edited', 5)
  await cluster.scaleUp(answer)
  const after = await live(deployments, 'edited')
  t.equal(after.spec?.replicas, 5)
  t.strictSame(notesOf(after), [])
  await cluster.scaleDown(deployment('edited'))
  await cluster.scaleUp(deployment('edited'))
  t.equal((await live(deployments, 'edited')).spec?.replicas, 5, 'the next sleep has these')
})

void t.test(
  'CronJobs and Jobs are suspended; those that were, and Jobs that have ended, stay so',
  async (t) => {
    const cron = (name: string, suspend: boolean) =>
      of('CronJob', name, { schedule: '0 * * * *', suspend, jobTemplate: { spec: job(name) } }, 'batch/v1')
    const task = (name: string) => of('Job', name, job(name), 'batch/v1')
    const all = [cron('on', false), cron('off', true), task('runs'), task('done')]
    await cluster.apply(all as KubeObject[])
    const conditions = [
      { type: 'SuccessCriteriaMet', status: 'True', lastTransitionTime: '2024-01-01T00:00:10Z' },
      { type: 'Complete', status: 'True', lastTransitionTime: '2024-01-01T00:00:10Z' },
    ]
    const status = {
      startTime: '2024-01-01T00:00:00Z',
      completionTime: '2024-01-01T00:00:10Z',
      succeeded: 1,
      conditions,
    }
    await client.patch(
      jobs,
      { namespace: 'default', name: 'done' },
      { type: 'merge', subresource: 'status', body: { status } },
    )
    const now = async () => {
      const found = [
        await live(cronJobs, 'on'),
        await live(cronJobs, 'off'),
        await live(jobs, 'runs'),
        await live(jobs, 'done'),
      ]
      return found.map(({ spec }) => spec?.suspend ?? false)
    }
    t.strictSame(
      (await cluster.scaleDown(all)).map(({ replicas }) => replicas),
      [1, 0, 1, 0],
    )
    t.strictSame(await now(), [true, true, true, false])
    await cluster.scaleUp(all)
    t.strictSame(await now(), [false, true, false, false])
    t.strictSame(notesOf(await live(cronJobs, 'on')), [])
  },
)

void t.test('a DaemonSet has no Pods while it sleeps', async (t) => {
  const agent = of('DaemonSet', 'agent', selecting('agent'))
  await cluster.apply([agent])
  const before = (await live(daemonSets, 'agent')).spec?.template
  await cluster.scaleDown(agent)
  t.strictSame((await live(daemonSets, 'agent')).spec?.template?.spec?.nodeSelector, {
    'forkspacer.com/asleep': 'true',
  })
  await cluster.scaleUp(agent)
  const after = await live(daemonSets, 'agent')
  t.strictSame(after.spec?.template, before)
  t.strictSame(notesOf(after), [])
})

void t.test('an object that cannot sleep is refused before anything is written', async (t) => {
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } }
  await cluster.apply([deployment('first'), settings])
  noted.length = 0
  await t.rejects(cluster.scaleDown([deployment('first'), settings]), {
    name: 'PermanentError',
    message:
      /ConfigMap default\/settings cannot be scaled down: its kind has neither replicas nor a suspension/,
  })
  t.equal((await live(deployments, 'first')).spec?.replicas, 2)
  t.strictSame(noted, [])
})

void t.test('a StatefulSet whose volumes go when it is scaled down is refused', async (t) => {
  await cluster.apply([deployment('next'), set('data', 'Delete'), set('safe', 'Retain')])
  await t.rejects(cluster.scaleDown([deployment('next'), set('data', 'Delete')]), {
    name: 'PermanentError',
    message:
      /StatefulSet default\/data is not put to sleep: .*whenScaled is Delete, .* would delete its volumes\. Set it to Retain/,
  })
  t.equal((await live(statefulSets, 'data')).spec?.replicas, 2)
  t.equal((await live(deployments, 'next')).spec?.replicas, 2)
  await cluster.scaleDown(set('safe', 'Retain'))
  t.equal((await live(statefulSets, 'safe')).spec?.replicas, 0)
})

void t.test('with keepVolumes its policy is Retain during the sleep, and comes back', async (t) => {
  const keeping = clusterWith({ keepVolumes: true })
  await keeping.apply([set('kept', 'Delete')])
  const now = async () => {
    const { spec } = await live(statefulSets, 'kept')
    return [spec?.replicas, spec?.persistentVolumeClaimRetentionPolicy?.whenScaled]
  }
  await keeping.scaleDown(set('kept', 'Delete'))
  t.strictSame(await now(), [0, 'Retain'])
  await keeping.scaleDown(set('kept', 'Delete'))
  await cluster.scaleUp(set('kept', 'Delete'))
  t.strictSame(await now(), [2, 'Delete'], 'also without the option')
  t.strictSame(notesOf(await live(statefulSets, 'kept')), [])
  await keeping.scaleDown(set('kept', 'Delete'))
  const body = { spec: { replicas: 1 } }
  await client.patch(statefulSets, { namespace: 'default', name: 'kept' }, { type: 'merge', body })
  await keeping.scaleUp(set('kept', 'Delete'))
  t.strictSame(await now(), [1, 'Delete'], 'somebody woke it')
})
