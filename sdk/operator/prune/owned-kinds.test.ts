import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import { configMaps, deployments } from '../../engine/kube/builtin.js'
import { ApiError } from '../../engine/kube/error.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { ForgottenKinds } from './forgotten-kinds.js'
import { covers, limitLocations } from './noted-locations.js'
import { annotationWith, notedKind, notedKinds, parseNote } from './owned-kinds.js'

const kind = { group: 'cache.my.domain' }
const annotated = (text: string) => ({ metadata: { annotations: { 'cache.my.domain/owned-kinds': text } } })
const managers = ['operator.backups', 'old-operator.backups']

void t.test('a note names a kind, and the cluster of objects without a reference', async (t) => {
  t.equal(notedKind(configMaps), 'ConfigMap')
  t.equal(notedKind(deployments, { cluster: 'host' }), 'host/Deployment.apps')
  t.equal(notedKind(deployments, { cluster: 'host', location: 'team' }), 'host/Deployment.apps@team')
  const nowhere = { cluster: undefined, location: undefined }
  t.same(parseNote('ConfigMap'), { ...nowhere, group: '', kind: 'ConfigMap' })
  t.same(parseNote('host/Route.a.b/c'), { ...nowhere, cluster: 'host', group: 'a.b/c', kind: 'Route' })
  t.same(parseNote('a@b/Route.a.b@c:d'), { cluster: 'a@b', group: 'a.b', kind: 'Route', location: 'c:d' })
})

void t.test('a kind with many locations has one note for every location', async (t) => {
  const noted = (locations: number) =>
    Array.from({ length: locations }, (_, location) =>
      notedKind(configMaps, { cluster: 'host', location: `team-${location}` }),
    )
  t.same(limitLocations(noted(16)), noted(16))
  t.same(limitLocations([...noted(17), 'Secret']), ['host/ConfigMap', 'Secret'])
  t.same(limitLocations(['host/ConfigMap', ...noted(1)]), ['host/ConfigMap'])
  const everyKind = Array.from({ length: 100 }, (_, n) => ({ group: '', kind: `Kind${n}` }))
  const many = everyKind.flatMap((one) =>
    Array.from({ length: 16 }, (_, n) => notedKind(one, { cluster: 'host', location: `team-${n}` })),
  )
  const short = everyKind.map((one) => notedKind(one, { cluster: 'host' }))
  t.same(limitLocations(many), short, 'no list is written that would count as absent')
  t.ok(covers(['host/ConfigMap'], 'host/ConfigMap@team-1'))
  t.notOk(covers(noted(1), 'host/ConfigMap@team-1'))
})

void t.test('each field manager has its own kinds, sorted and without doubles', async (t) => {
  const first = annotationWith({ metadata: {} }, kind, { managers, kinds: ['Secret', 'ConfigMap', 'Secret'] })
  t.equal(first, '{"operator.backups":["ConfigMap","Secret"]}')
  const other = annotationWith(annotated(first ?? ''), kind, { managers: ['a.b'], kinds: ['Role'] })
  t.equal(other, '{"a.b":["Role"],"operator.backups":["ConfigMap","Secret"]}')
  t.same(notedKinds(annotated(other ?? ''), kind, managers), ['ConfigMap', 'Secret'])
  t.equal(annotationWith(annotated(other ?? ''), kind, { managers, kinds: [] }), '{"a.b":["Role"]}')
  t.equal(annotationWith(annotated(first ?? ''), kind, { managers, kinds: [] }), null)
})

void t.test('the kinds of a former name are those of the controller', async (t) => {
  const object = annotated('{"old-operator.backups":["Secret"]}')
  const kinds = notedKinds(object, kind, managers)
  t.same(kinds, ['Secret'])
  t.equal(annotationWith(object, kind, { managers, kinds }), '{"operator.backups":["Secret"]}')
})

void t.test('an annotation that a person broke counts as absent', async (t) => {
  for (const text of [
    '',
    'x',
    '[]',
    'null',
    '7',
    '{"operator.backups":"Secret"}',
    '{"operator.backups":[1]}',
  ])
    t.same(notedKinds(annotated(text), kind, managers), [], text)
})

void t.test('a list with more kinds than a controller writes counts as absent', async (t) => {
  const list = (length: number) =>
    JSON.stringify({ 'operator.backups': Array.from({ length }, (_, n) => `Kind${n}`), 'a.b': ['Role'] })
  t.equal(notedKinds(annotated(list(1000)), kind, managers).length, 1000)
  t.same(notedKinds(annotated(list(1001)), kind, managers), [])
  const healed = annotationWith(annotated(list(1001)), kind, { managers, kinds: ['Secret'] })
  t.equal(healed, '{"a.b":["Role"],"operator.backups":["Secret"]}')
})

void t.test('the annotation of an object is read once', async (t) => {
  const object = annotated('{"operator.backups":["Secret"]}')
  const parsed = t.capture(JSON, 'parse', JSON.parse)
  for (let time = 0; time < 3; time++) t.same(notedKinds(object, kind, managers), ['Secret'])
  t.equal(parsed().length, 1)
  object.metadata.annotations['cache.my.domain/owned-kinds'] = '{"operator.backups":["Role"]}'
  t.same(notedKinds(object, kind, managers), ['Role'])
})

void t.test('kinds that users write into the annotation take bounded memory, and few requests', async (t) => {
  const kinds = new ForgottenKinds({
    managers,
    cluster: 'main',
    owns: [],
    scope: undefined,
    clock: new VirtualClock(),
    logger: silentLogger,
  })
  const asked: string[] = []
  const cluster = {
    name: 'main',
    apiVersions: async () => {
      asked.push('apiVersions')
      return ['v1']
    },
    served: async (apiVersion: string) => {
      asked.push(apiVersion)
      return [configMaps]
    },
    client: { list: () => Promise.reject(new ApiError({ kind: 'Status', code: 403, reason: 'Forbidden' })) },
  } as unknown as Cluster
  const owner = { cluster: 'main', resource: configMaps, key: { namespace: 'default', name: 'a' }, uid: 'u' }
  for (let number = 0; number < 1000; number++) {
    const [note = ''] = kinds.selectUndeclared([`Kind${number}`, 'a'.repeat(2000)])
    await kinds.remove({ owner, note, clusters: new Map([['main', cluster]]) })
  }
  t.same([kinds.size, asked], [0, ['apiVersions', 'v1']], 'the cluster is asked once a minute')
  for (let number = 0; number < 5000; number++)
    await kinds.remove({ owner, note: `main/ConfigMap@n${number}`, clusters: new Map([['main', cluster]]) })
  t.equal(kinds.size, 4096, 'the newest refusals are remembered')
  t.same(kinds.selectUndeclared(['a'.repeat(2000)]), [])
})

void t.test('a kind that is served again is found, and its objects are deleted', async (t) => {
  const clock = new VirtualClock()
  const options = { managers, cluster: 'main', owns: [], scope: undefined, clock, logger: silentLogger }
  const kinds = new ForgottenKinds(options)
  const owner = { cluster: 'main', resource: configMaps, key: { namespace: 'default', name: 'a' }, uid: 'u' }
  const asked: string[] = []
  let isServed = false
  const cluster = {
    name: 'main',
    apiVersions: async () => ['v1'],
    served: async (apiVersion: string) => {
      asked.push(apiVersion)
      return isServed ? [configMaps] : []
    },
    client: { list: async () => ({ metadata: {}, items: [] }) },
  } as unknown as Cluster
  const remove = () => kinds.remove({ owner, note: 'ConfigMap', clusters: new Map([['main', cluster]]) })
  t.equal(await remove(), 'not served')
  isServed = true
  t.equal(await remove(), 'not served', 'the cluster is asked once a minute')
  t.equal(asked.length, 1)
  await clock.advance(60_000)
  t.equal(await remove(), 0)
  await clock.advance(60_000)
  t.equal(await remove(), 0)
  t.equal(asked.length, 3)
})

void t.test('the second answer that a kind is gone was asked for a minute after the first', async (t) => {
  const clock = new VirtualClock()
  const options = { managers, cluster: 'main', owns: [], scope: undefined, clock, logger: silentLogger }
  const kinds = new ForgottenKinds(options)
  const owner = { cluster: 'main', resource: configMaps, key: { namespace: 'default', name: 'a' }, uid: 'u' }
  let isServed = false
  const cluster = {
    name: 'main',
    apiVersions: async () => ['v1'],
    served: async () => (isServed ? [configMaps] : []),
    client: { list: async () => ({ metadata: {}, items: [] }) },
  } as unknown as Cluster
  const request = { owner, note: 'main/ConfigMap', clusters: new Map([['main', cluster]]) }
  await kinds.remove(request)
  await clock.advance(59_000)
  t.equal(await kinds.removeLast(request), 'unconfirmed')
  await clock.advance(1000)
  t.equal(await kinds.remove(request), 'not served', 'the cluster is asked again for another primary')
  isServed = true
  await clock.advance(59_500)
  t.equal(await kinds.removeLast(request), 0)
})

void t.test('a list of objects that expires on the way is read again from its start', async (t) => {
  const clock = new VirtualClock()
  const options = { managers, cluster: 'main', owns: [], scope: undefined, clock, logger: silentLogger }
  const kinds = new ForgottenKinds(options)
  const owner = { cluster: 'main', resource: configMaps, key: { namespace: 'default', name: 'a' }, uid: 'u' }
  const pages: (string | undefined)[] = []
  const cluster = {
    name: 'main',
    apiVersions: async () => ['v1'],
    served: async () => [configMaps],
    client: {
      list: async (_: unknown, { continue: page }: { continue?: string }) => {
        if (pages.push(page) === 2) throw new ApiError({ kind: 'Status', code: 410, reason: 'Expired' })
        return { metadata: page === undefined ? { continue: 'next' } : {}, items: [] }
      },
    },
  } as unknown as Cluster
  t.equal(await kinds.remove({ owner, note: 'ConfigMap', clusters: new Map([['main', cluster]]) }), 0)
  t.same(pages, [undefined, 'next', undefined, 'next'])
})
