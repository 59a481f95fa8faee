// Tests the watches of the objects of releases: how many there are, and which keys they trigger.
import { Observable, type Subscriber } from 'rxjs'
import t from 'tap'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import { configMaps, deployments, events, secrets } from '../../../engine/kube/builtin.js'
import { jobs } from '../../../engine/kube/builtin-workloads.js'
import { formatKey } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import type { Transport } from '../../../engine/transport/transport.js'
import type { WatchEvent } from '../../../engine/watch/event.js'
import type { WatchScope } from '../../../engine/watch/watch-scope.js'
import { greetings, key, kind } from '../greetings.fixture.js'
import { withRun } from '../objects/hook-annotations.js'
import { conditionOf, create, eventsOf, find, start, until } from '../reconciled.fixture.js'
import { Dependents } from './dependents.js'

/** A cluster that counts its watches, by kind, namespace and labels. */
function countingCluster() {
  const open = new Map<
    string,
    { scope: WatchScope<KubeObject>; subscriber: Subscriber<WatchEvent<KubeObject>> }
  >()
  let begun = 0
  const watch$ = (scope: WatchScope<KubeObject>) =>
    new Observable<WatchEvent<KubeObject>>((subscriber) => {
      const id = `${formatResource(scope.resource)} ${scope.namespace} ${scope.labelSelector}`
      begun += 1
      open.set(id, { scope, subscriber })
      return () => open.delete(id)
    })
  const opened = (resource: Resource, labelSelector: string) =>
    open.get(`${formatResource(resource)} team ${labelSelector}`)
  return { cluster: { watch$ } as unknown as Cluster, open, opened, begun: () => begun }
}
const ofReleases = 'app.kubernetes.io/managed-by=Helm'

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
  const kinds = () => [...open.values()].map(({ scope }) => `${scope.resource.kind} ${scope.labelSelector}`)
  const records = 'Secret owner=helm'
  const dependents = new Dependents()
  for (const _ of ['the first run', 'the next one'])
    for (let index = 0; index < 200; index++)
      dependents.follow(cluster, followed(index, [configMaps, secrets]))
  t.strictSame(kinds(), [records, `ConfigMap ${ofReleases}`, `Secret ${ofReleases}`])
  t.equal(begun(), 3)
  for (let index = 0; index < 199; index++) dependents.forget(followed(index, []))
  t.equal(open.size, 3)
  dependents.follow(cluster, followed(199, [configMaps]))
  t.strictSame(kinds(), [records, `ConfigMap ${ofReleases}`], 'a kind left the chart')
  dependents.follow(cluster, { key: keyOf(199), release: keyOf(199) })
  t.equal(open.size, 2, 'objects that are not known are those of before')
  dependents.forget(followed(199, []))
  t.equal(open.size, 0)
  t.equal(dependents.count, 0)
  t.end()
})

void t.test('a watch takes the metadata of objects of releases, and no others', (t) => {
  const { cluster, open } = countingCluster()
  new Dependents().follow(cluster, followed(0, [secrets]))
  const scopes = [...open.values()].map(({ scope }) => scope)
  t.match(scopes, [
    { labelSelector: 'owner=helm', metadataOnly: true, namespace: 'team' },
    { labelSelector: ofReleases, metadataOnly: true, namespace: 'team' },
  ])
  t.end()
})

void t.test('a change triggers the key of its release alone', (t) => {
  const { cluster, open, opened } = countingCluster()
  const dependents = new Dependents()
  const triggered: string[] = []
  dependents.triggers$.subscribe((key) => triggered.push(formatKey(key)))
  for (let index = 0; index < 3; index++) dependents.follow(cluster, followed(index, [configMaps]))
  const watch = opened(configMaps, ofReleases)
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

/** The keys that the events of a watch trigger. */
function triggersOf(dependents: Dependents): string[] {
  const triggered: string[] = []
  dependents.triggers$.subscribe((key) => triggered.push(formatKey(key)))
  return triggered
}

void t.test('a status alone triggers only a release that waits for it', (t) => {
  const { cluster, opened } = countingCluster()
  const dependents = new Dependents()
  const triggered = triggersOf(dependents)
  const follow = (isWaiting: boolean) =>
    dependents.follow(cluster, { ...followed(0, [deployments]), isWaiting })
  follow(true)
  const { subscriber } = opened(deployments, ofReleases) ?? {}
  const emit = (type: 'listed' | 'applied', more: object) => {
    const { metadata, ...object } = objectOf(deployments, 0)
    const changed = { ...object, metadata: { ...metadata, uid: 'one', generation: 1, ...more } }
    subscriber?.next({ type, object: changed } as WatchEvent<KubeObject>)
    return triggered.splice(0).length
  }
  emit('listed', { resourceVersion: '1' })
  subscriber?.next({ type: 'listDone', resourceVersion: '1' })
  t.equal(triggered.splice(0).length, 1, 'a status may have changed before the list')
  t.equal(emit('applied', { resourceVersion: '2' }), 1, 'it waits')
  follow(false)
  t.equal(emit('applied', { resourceVersion: '3' }), 0, 'it does not wait')
  t.equal(emit('applied', { resourceVersion: '4', generation: 2 }), 1, 'its spec')
  t.equal(emit('applied', { resourceVersion: '5', generation: 2, labels: { a: 'b' } }), 1, 'its labels')
  subscriber?.next({ type: 'listStarted' })
  emit('listed', { resourceVersion: '6', generation: 2 })
  subscriber?.next({ type: 'listDone', resourceVersion: '6' })
  t.equal(triggered.length, 0)
  t.equal(emit('applied', { resourceVersion: '7', generation: undefined }), 1, 'no generation: unknown')
  t.end()
})

void t.test('a hook triggers its release until it has ended', (t) => {
  const { cluster, open, opened } = countingCluster()
  const dependents = new Dependents()
  const triggered = triggersOf(dependents)
  const owner = { cluster: 'main', resource: kind, key: keyOf(0), uid: 'one' }
  const names = { release: keyOf(0), owner, target: { cluster: 'main' } }
  const hook = withRun({ key: keyOf(0), resource: jobs, object: objectOf(jobs, 0) }, '1', names)
  dependents.follow(cluster, { key: keyOf(0), release: keyOf(0), hook, isWaiting: true })
  const watch = opened(jobs, 'vcluster-plugin-sdk/hook=true')
  t.match(watch?.scope, { metadataOnly: true })
  watch?.subscriber.next({ type: 'applied', object: hook.object })
  t.strictSame(triggered, ['team/release-0'])
  dependents.follow(cluster, followed(0, [configMaps]))
  t.equal(open.has(`${formatResource(jobs)} team vcluster-plugin-sdk/hook=true`), false)
  t.end()
})

void t.test('a record triggers its release if another program wrote it, or deleted it', (t) => {
  const { cluster, opened } = countingCluster()
  const dependents = new Dependents()
  const triggered = triggersOf(dependents)
  dependents.follow(cluster, followed(0, []))
  const record = (status: string, annotations: Record<string, string>) => ({
    metadata: { namespace: 'team', name: 'r', labels: { name: 'release-0', status }, annotations },
  })
  const emit = (type: 'applied' | 'deleted', object: object) => {
    opened(secrets, 'owner=helm')?.subscriber.next({ type, object } as WatchEvent<KubeObject>)
    return triggered.splice(0)
  }
  const own = { 'vcluster-plugin-sdk/written': '{}' }
  t.strictSame(emit('applied', record('deployed', own)), [], 'written by this SDK')
  t.strictSame(emit('applied', record('pending-upgrade', {})), ['team/release-0'], 'a helm upgrade')
  t.strictSame(emit('deleted', record('superseded', own)), [], 'pruned')
  t.strictSame(emit('deleted', record('deployed', own)), ['team/release-0'], 'deleted by hand')
  t.strictSame(emit('deleted', record('uninstalling', {})), ['team/release-0'], 'a helm uninstall')
  t.end()
})

void t.test('a watch that is not allowed is reported once, by one release', (t) => {
  const { cluster, opened } = countingCluster()
  const dependents = new Dependents()
  const triggered: string[] = []
  dependents.triggers$.subscribe((key) => triggered.push(formatKey(key)))
  const follow = (index: number) => dependents.follow(cluster, followed(index, [configMaps]))
  t.strictSame([follow(0), follow(1)], [[], []])
  const emit = (event: WatchEvent<KubeObject>) => opened(configMaps, ofReleases)?.subscriber.next(event)
  emit({ type: 'forbidden' })
  emit({ type: 'forbidden' })
  t.strictSame(triggered, ['team/release-0'], 'a run reports it')
  const reported = [{ resource: configMaps, namespace: 'team' }]
  t.match(follow(0), reported)
  t.strictSame([follow(0), follow(1)], [[], []])
  emit({ type: 'listDone', resourceVersion: '1' })
  t.strictSame(follow(0), [], 'it is allowed now')
  emit({ type: 'forbidden' })
  t.match(follow(1), reported)
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
          message:
            /^the program may not list and watch configmaps in default, so it finds .* grant both verbs/,
        },
      ],
      'one Event, after several runs',
    )
  },
)

/** Notes the open watches, by their paths. */
const openWatches =
  (open: Set<string>) =>
  (transport: Transport): Transport => ({
    request: transport.request.bind(transport),
    async stream(call) {
      open.add(call.path)
      call.signal?.addEventListener('abort', () => open.delete(call.path))
      return transport.stream(call)
    },
    close: () => transport.close(),
  })

void t.test('nothing is watched for an object that is gone without its release', async (t) => {
  const open = new Set<string>()
  let isAsked = false
  const later = () => {
    isAsked = true
    return { requeueAfterMs: 3_600_000 }
  }
  const options = { reconcilePeriodMs: 0, preUninstallHooks: [later] }
  const test = await start(t, options, { wrap: openWatches(open) })
  const ofRelease = () => [...open].filter((path) => /owner%3Dhelm|managed-by%3DHelm/.test(path)).length
  await create(test, { text: 'one' })
  await test.settled()
  t.equal(ofRelease(), 2, 'the records and the ConfigMaps')
  await test.client.delete(greetings, key)
  await until(async () => isAsked)
  t.equal(ofRelease(), 2)
  await test.client.patch(greetings, key, { type: 'merge', body: { metadata: { finalizers: null } } })
  await until(async () => (await find(test, greetings)) === undefined)
  await until(async () => ofRelease() === 0)
})
