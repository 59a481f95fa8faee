// Tests when objects count as ready, and releases that wait for that.
import t from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { deployments } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { functionChart } from '../../chart/function-chart.js'
import { greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, eventsOf, history, start, until } from '../reconciled.fixture.js'
import { isReadyForWait } from './readiness.js'

const object = (kind: string, fields: object, generation = 1): KubeObject =>
  ({ kind, metadata: { namespace: 'a', name: 'b', generation }, ...fields }) as KubeObject
const replicas = { spec: { replicas: 2 } }
const conditions = (type: string, status = 'True') => ({ conditions: [{ type, status, message: 'why' }] })
const scheduled = { desiredNumberScheduled: 2, numberAvailable: 2 }

void t.test('an object is ready when its status says so', (t) => {
  const deployed = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2 }
  const stateful = { observedGeneration: 1, readyReplicas: 2, updatedReplicas: 2 }
  const balancer = { type: 'LoadBalancer' }
  const paused = { spec: { replicas: 2, paused: true } }
  const foreign = { apiVersion: 'example.com/v1', status: conditions('Ready', 'False') }
  const partition = { updateStrategy: { rollingUpdate: { partition: 1 } } }
  const cases: [name: string, object: KubeObject, isReady: boolean][] = [
    ['a Deployment', object('Deployment', { ...replicas, status: deployed }), true],
    ['a Deployment without a status', object('Deployment', replicas), false],
    ['an old status', object('Deployment', { ...replicas, status: deployed }, 2), false],
    [
      'an old replica is left',
      object('Deployment', { ...replicas, status: { ...deployed, replicas: 3 } }),
      false,
    ],
    [
      'one replica lacks',
      object('Deployment', { ...replicas, status: { ...deployed, availableReplicas: 1 } }),
      false,
    ],
    ['a paused Deployment', object('Deployment', paused), true],
    ['one that is not observed', object('Deployment', { ...paused, status: deployed }, 2), true],
    ['one of another group', object('Deployment', { ...paused, ...foreign }), false],
    ['a StatefulSet', object('StatefulSet', { ...replicas, status: stateful }), true],
    [
      'one is old',
      object('StatefulSet', { ...replicas, status: { ...stateful, updatedReplicas: 1 } }),
      false,
    ],
    [
      'one may be old',
      object('StatefulSet', {
        spec: { replicas: 2, ...partition },
        status: { ...stateful, updatedReplicas: 1 },
      }),
      true,
    ],
    [
      'a DaemonSet',
      object('DaemonSet', { status: { ...scheduled, observedGeneration: 1, updatedNumberScheduled: 2 } }),
      true,
    ],
    [
      'one Pod is old',
      object('DaemonSet', { status: { ...scheduled, observedGeneration: 1, updatedNumberScheduled: 1 } }),
      false,
    ],
    ['a DaemonSet that is not observed', object('DaemonSet', {}), false],
    ['a Pod', object('Pod', { status: conditions('Ready') }), true],
    ['a Pod that starts', object('Pod', { status: conditions('Ready', 'False') }), false],
    ['a bound claim', object('PersistentVolumeClaim', { status: { phase: 'Bound' } }), true],
    ['a claim', object('PersistentVolumeClaim', { status: { phase: 'Pending' } }), false],
    ['a Service', object('Service', { spec: { type: 'ClusterIP' } }), true],
    [
      'a Service without an address',
      object('Service', { spec: balancer, status: { loadBalancer: {} } }),
      false,
    ],
    [
      'with an address',
      object('Service', { spec: balancer, status: { loadBalancer: { ingress: [{}] } } }),
      true,
    ],
    ['a definition', object('CustomResourceDefinition', { status: conditions('Established') }), true],
    ['a definition that is new', object('CustomResourceDefinition', {}), false],
    ['anything', object('ConfigMap', {}), true],
    ['a custom resource', object('Database', { status: conditions('Ready', 'False') }), false],
    ['an old status of it', object('Database', { status: { observedGeneration: 1 } }, 2), false],
    ['a Job that runs', object('Job', {}), true],
    [
      'a Service of another group',
      object('Service', { apiVersion: 'serving.knative.dev/v1', status: conditions('Ready', 'False') }),
      false,
    ],
    [
      'a Deployment of another group',
      object('Deployment', { apiVersion: 'example.com/v1', ...replicas }),
      true,
    ],
    [
      'a Job of another group',
      object('Job', { apiVersion: 'example.com/v1', status: conditions('Ready', 'False') }),
      false,
    ],
  ]
  for (const [name, one, expected] of cases) t.equal(isReadyForWait(one, 'ready'), expected, name)
  t.notOk(isReadyForWait(object('Job', {}), 'jobs'))
  t.ok(isReadyForWait(object('Job', { status: conditions('Complete') }), 'jobs'))
  t.throws(
    () => isReadyForWait(object('Job', { status: conditions('Failed') }), 'jobs'),
    /Job a\/b failed: why/,
  )
  t.end()
})

const web = functionChart({ name: 'web', version: '1.0.0' }, ({ image = 'a', paused = false }, { name }) => [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 1,
      ...(paused === true && { paused }),
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'a', image }] } },
    },
  },
])

void t.test('a release is pending until its objects are ready, and holds no worker', async (t) => {
  const test = await start(t, { chart: web, wait: 'ready', maxConcurrentReconciles: 1 })
  await create(test)
  await test.settled()
  t.strictSame(await history(test), ['1 pending-install'])
  t.match(await conditionOf(test, 'Progressing'), {
    status: 'True',
    reason: 'Installing',
    message: 'waits for Deployment default/hello to become ready',
  })
  await test.client.create(greetings, { metadata: { ...key, name: 'other' } })
  await test.settled()
  await test.setReady({ metadata: { ...key, name: 'other' } })
  await test.settled()
  const other = await test.client.get(greetings, { ...key, name: 'other' })
  t.match(other.status, { deployedRelease: { revision: 1 } }, 'another release does not wait')
  t.strictSame(await history(test), ['1 pending-install'])

  await test.setReady({ metadata: key })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
  await edit(test, { spec: { image: 'b' } })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed', '2 pending-upgrade'])
  await edit(test, { spec: { image: 'c' } })
  await test.settled()
  const applied = (await test.client.get(deployments, key)).spec?.template?.spec?.containers
  t.match(applied, [{ image: 'c' }], 'what is wanted now is applied')
  await test.setReady({ metadata: key })
  await test.settled()
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
})

void t.test('a paused Deployment is ready, as helm has it, in the wait and in the condition', async (t) => {
  const test = await start(t, { chart: web, wait: 'ready' })
  await create(test, { paused: true })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
  t.match(await conditionOf(test, 'Ready'), { status: 'True', reason: 'Running' })
})

void t.test('objects that do not become ready in time fail the revision', async (t) => {
  const clock = new VirtualClock()
  const server = await createApiServer({ clock })
  const options = { chart: web, wait: 'ready', timeoutMs: 60_000 } as const
  const test = await start(t, options, { clock, servers: { main: server } })
  await create(test)
  await test.settled()
  await clock.advance(55_000)
  await test.settled()
  t.strictSame(await history(test), ['1 pending-install'])
  await clock.advance(11_000)
  const failed = () => conditionOf(test, 'ReleaseFailed')
  await until(async () => (await failed())?.status === 'True')
  t.match(await failed(), {
    reason: 'WaitTimeout',
    message:
      /Deployment default\/hello did not become ready within 60 s; see: kubectl describe -n default deployments\.apps\/hello and kubectl get events -n default\. If it only needs more time, raise timeout/,
  })
  await test.setReady({ metadata: key })
  await until(async () => {
    await clock.advance(1_000)
    return (await history(test)).join() === '1 deployed'
  })
  t.match(await failed(), { status: 'False' }, 'it is tried again')
  t.ok((await eventsOf(test, 'InstallFailed')).length > 0)
})
