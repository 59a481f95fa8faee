// Tests the watches of the objects of releases: how many there are, and which keys they trigger.
import { Observable, type Subscriber } from 'rxjs'
import t from 'tap'
import type { Cluster } from '../../cluster/cluster.js'
import { configMaps, events, secrets } from '../../kube/builtin.js'
import { formatKey } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { formatResource, type Resource } from '../../kube/resource.js'
import type { WatchEvent } from '../../watch/event.js'
import type { WatchScope } from '../../watch/watch-scope.js'
import { Dependents } from './dependents.js'
import { key } from './greetings.fixture.js'
import { conditionOf, create, eventsOf, find, start, until } from './reconciled.fixture.js'

/** A cluster that counts its watches, by kind and namespace. */
function countingCluster() {
  const open = new Map<
    string,
    { scope: WatchScope<KubeObject>; subscriber: Subscriber<WatchEvent<KubeObject>> }
  >()
  let begun = 0
  const watch$ = (scope: WatchScope<KubeObject>) =>
    new Observable<WatchEvent<KubeObject>>((subscriber) => {
      const id = `${formatResource(scope.resource)} ${scope.namespace}`
      begun += 1
      open.set(id, { scope, subscriber })
      return () => open.delete(id)
    })
  return { cluster: { watch$ } as unknown as Cluster, open, begun: () => begun }
}

const keyOf = (index: number) => ({ namespace: 'team', name: `release-${index}` })
const objectOf = (resource: Resource, index: number): KubeObject => ({
  apiVersion: 'v1',
  kind: resource.kind,
  metadata: {
    ...keyOf(index),
    annotations: {
      'meta.helm.sh/release-name': `release-${index}`,
      'meta.helm.sh/release-namespace': 'team',
    },
  },
})
const followed = (index: number, resources: readonly Resource[]) => ({
  key: keyOf(index),
  release: keyOf(index),
  objects: resources.map((resource) => ({ resource, key: keyOf(index), object: objectOf(resource, index) })),
})

void t.test('one watch of a kind serves 200 releases, and ends with the last one', (t) => {
  const { cluster, open, begun } = countingCluster()
  const kinds = () => [...open.values()].map(({ scope }) => scope.resource.kind)
  const dependents = new Dependents()
  for (const _ of ['the first run', 'the next one'])
    for (let index = 0; index < 200; index++)
      dependents.follow(cluster, followed(index, [configMaps, secrets]))
  t.strictSame(kinds(), ['ConfigMap', 'Secret'])
  t.equal(begun(), 2)
  for (let index = 0; index < 199; index++) dependents.forget(followed(index, []))
  t.equal(open.size, 2)
  dependents.follow(cluster, followed(199, [configMaps]))
  t.strictSame(kinds(), ['ConfigMap'], 'a kind left the chart')
  dependents.forget(followed(199, []))
  t.equal(open.size, 0)
  t.equal(dependents.count, 0)
  t.end()
})

void t.test('a watch takes the metadata of objects of releases, and no others', (t) => {
  const { cluster, open } = countingCluster()
  new Dependents().follow(cluster, followed(0, [secrets]))
  const [watch] = open.values()
  t.match(watch?.scope, {
    labelSelector: 'app.kubernetes.io/managed-by=Helm',
    metadataOnly: true,
    namespace: 'team',
  })
  t.end()
})

void t.test('a change triggers the key of its release alone', (t) => {
  const { cluster, open } = countingCluster()
  const dependents = new Dependents()
  const triggered: string[] = []
  dependents.triggers$.subscribe((key) => triggered.push(formatKey(key)))
  for (let index = 0; index < 3; index++) dependents.follow(cluster, followed(index, [configMaps]))
  const [watch] = open.values()
  const emit = (type: 'applied' | 'deleted', index: number) =>
    watch?.subscriber.next({ type, object: objectOf(configMaps, index) } as WatchEvent<KubeObject>)
  emit('applied', 1)
  emit('deleted', 2)
  emit('applied', 7)
  t.strictSame(triggered, ['team/release-1', 'team/release-2'])
  dependents.forget(followed(1, []))
  emit('applied', 1)
  t.equal(triggered.length, 2, 'a release that is gone triggers nothing')
  dependents.close()
  t.equal(open.size, 0)
  t.end()
})

void t.test('a watch that is not allowed is reported once, by one release', (t) => {
  const { cluster, open } = countingCluster()
  const dependents = new Dependents()
  const triggered: string[] = []
  dependents.triggers$.subscribe((key) => triggered.push(formatKey(key)))
  const follow = (index: number) => dependents.follow(cluster, followed(index, [configMaps]))
  t.strictSame([follow(0), follow(1)], [[], []])
  const emit = (event: WatchEvent<KubeObject>) => [...open.values()][0]?.subscriber.next(event)
  emit({ type: 'forbidden' })
  emit({ type: 'forbidden' })
  t.strictSame(triggered, ['team/release-0'], 'a run reports it')
  const reported = [{ resource: configMaps, namespace: 'team' }]
  t.strictSame([follow(0), follow(0), follow(1)], [reported, [], []])
  emit({ type: 'listDone', resourceVersion: '1' })
  t.strictSame(follow(0), [], 'it is allowed now')
  emit({ type: 'forbidden' })
  t.strictSame(follow(1), reported)
  t.end()
})

void t.test(
  'without the permission to watch a kind, releases follow the period, and an Event says so',
  async (t) => {
    const permissions = [{ resource: configMaps, verbs: ['get', 'create', 'patch', 'delete'] }]
    const options = { permissions, permissionValues: false, reconcilePeriodMs: 300 } as const
    const test = await start(t, options, { permissions: 'declared' })
    await create(test, { text: 'one' })
    await until(async () => (await eventsOf(test, 'WatchForbidden')).length > 0)
    t.match(await conditionOf(test, 'Deployed'), { status: 'True' })
    await test.client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'edited' } } })
    await until(async () => (await find(test, configMaps))?.data?.text === 'one')
    const { items } = await test.client.list(events, { namespace: 'default' })
    t.match(
      items.filter(({ reason }) => reason === 'WatchForbidden'),
      [
        {
          series: undefined,
          message: /^the program may not list and watch configmaps in default: .* permit it/,
        },
      ],
      'one Event, after several runs',
    )
  },
)
