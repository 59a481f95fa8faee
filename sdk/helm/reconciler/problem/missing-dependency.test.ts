// Tests releases whose namespace or kind is not there yet: they run as soon as it is.
import { Observable, type Subscriber } from 'rxjs'
import t from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { TestOperator } from '../../../../testing/index.js'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import { configMaps, customResourceDefinitions, events, namespaces } from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import { formatKey } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Transport } from '../../../engine/transport/transport.js'
import type { WatchEvent } from '../../../engine/watch/event.js'
import type { WatchScope } from '../../../engine/watch/watch-scope.js'
import { createInternalOperator } from '../../../operator/operator-runtime.js'
import { functionChart } from '../../chart/function-chart.js'
import { ReleaseStore } from '../../release/release-store.js'
import { MissingWatches } from '../following/missing-watches.js'
import { configMap, definition, key, kind } from '../greetings.fixture.js'
import { helmController } from '../helm-controller.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, eventsOf, start, until } from '../reconciled.fixture.js'
import { adviseOnNamespace } from '../status/namespace-advice.js'
import { type MissingDependency, missingIn, newDefinition } from './missing-dependency.js'
import { OperationError, ValuesError } from './problem.js'

/**
 * Starts an operator whose clock does not move: no key comes back by itself. Its account has the declared permissions.
 */
async function startStill(
  t: Parameters<typeof start>[0],
  options: Partial<HelmControllerOptions>,
): Promise<TestOperator> {
  const clock = new VirtualClock()
  const main = await createApiServer({ name: 'main', authorization: 'rbac' })
  const more = { clock, servers: { main }, permissions: 'declared' } as const
  return start(t, { reconcilePeriodMs: 0, ...options }, more)
}
const revisionsIn = async ({ client }: TestOperator, namespace: string) =>
  (await new ReleaseStore(client, Date.now).revisions(namespace, 'hello')).map(
    ({ release }) => `${release.version} ${release.info.status}`,
  )
const isDeployedIn = (test: TestOperator, namespace: string) =>
  until(async () => (await revisionsIn(test, namespace)).includes('1 deployed'))
const problem = async (test: TestOperator, type: string, message: RegExp) =>
  until(async () => message.test((await conditionOf(test, type))?.message ?? ''))

void t.test('a release whose namespace is missing is installed as soon as it appears', async (t) => {
  const test = await startStill(t, { targetNamespace: 'apps' })
  await create(test, { text: 'one' })
  await problem(test, 'Irreconcilable', /namespaces "apps" not found/)
  await test.client.create(namespaces, { metadata: { name: 'others' } })
  await test.client.create(namespaces, { metadata: { name: 'apps' } })
  await isDeployedIn(test, 'apps')
  t.match(await test.client.get(configMaps, { namespace: 'apps', name: 'hello' }), { data: { text: 'one' } })
  t.strictSame(await eventsOf(test, 'WatchForbidden'), [])
})

void t.test('one whose namespace is being deleted is installed in the next one of that name', async (t) => {
  const test = await startStill(t, { targetNamespace: 'apps', createNamespace: true })
  const held = { namespace: 'apps', name: 'held' }
  await test.client.create(namespaces, { metadata: { name: 'apps' } })
  await test.client.create(configMaps, { metadata: { ...held, finalizers: ['example.com/held'] } })
  await test.client.delete(namespaces, { namespace: '', name: 'apps' })
  await create(test, { text: 'one' })
  await problem(test, 'Irreconcilable', /being terminated/)
  await test.client.patch(configMaps, held, { type: 'merge', body: { metadata: { finalizers: null } } })
  await isDeployedIn(test, 'apps')
})

void t.test('an object of a chart in a namespace that is missing is waited for, too', async (t) => {
  const chart = functionChart({ name: 'wide', version: '1.0.0' }, (_, { name }) => {
    const object = configMap(name, {})
    return [{ ...object, metadata: { ...object.metadata, namespace: 'elsewhere' } }]
  })
  const test = await startStill(t, { chart })
  await create(test, {})
  await problem(
    test,
    'ReleaseFailed',
    /namespaces "elsewhere" not found; create the namespace, or add it to the chart$/,
  )
  await test.client.create(namespaces, { metadata: { name: 'elsewhere' } })
  await isDeployedIn(test, 'default')
})

void t.test('the advice about a namespace that a hook asks for is not about the chart', async (t) => {
  const status = {
    code: 404,
    message: 'namespaces "elsewhere" not found',
    details: { kind: 'namespaces', name: 'elsewhere' },
  }
  const cause = new ApiError(status)
  const message = 'preHooks[0] failed: namespaces "elsewhere" not found'
  const run = { release: { namespace: 'a', name: 'b' }, options: {} }
  const said = `${message}; create the namespace, or correct its name in the code of the operator`
  for (const error of [
    new OperationError(message, { reason: 'HookError', cause }),
    new ValuesError(message, { cause }),
  ])
    t.match(adviseOnNamespace(run, error), { message: said })
})

void t.test('the advice stays when an upgrade is rolled back', async (t) => {
  const chart = functionChart({ name: 'wide', version: '1.0.0' }, ({ text }, { name }) => {
    const object = configMap(name, { text })
    return text === 'two'
      ? [{ ...object, metadata: { ...object.metadata, namespace: 'elsewhere' } }]
      : [object]
  })
  const test = await startStill(t, { chart })
  await create(test, { text: 'one' })
  await isDeployedIn(test, 'default')
  await edit(test, { spec: { text: 'two' } })
  await problem(
    test,
    'ReleaseFailed',
    /namespaces "elsewhere" not found; create the namespace, or add it to the chart; revision 1 is back$/,
  )
})

void t.test('an error that is its own cause has an end', (t) => {
  const error = new Error('looping')
  error.cause = new Error('inner', { cause: error })
  t.equal(missingIn(error, undefined), undefined)
  t.equal(adviseOnNamespace({ release: { namespace: 'a', name: 'b' }, options: {} }, error), error)
  t.end()
})

const things: Resource = { ...kind, kind: 'Thing', plural: 'things' }
const ofThings = {
  ...definition,
  metadata: { name: 'things.example.com' },
  spec: { ...definition.spec, names: { kind: 'Thing', plural: 'things' } },
}
const thingChart = functionChart({ name: 'things', version: '1.0.0' }, (_, { name }) => [
  { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name } },
])

void t.test('a release of a kind that is not served is installed as soon as it is', async (t) => {
  const test = await startStill(t, { chart: thingChart })
  await create(test, {})
  await problem(test, 'ReleaseFailed', /does not serve Thing of example.com\/v1/)
  await test.client.create(customResourceDefinitions, ofThings)
  await isDeployedIn(test, 'default')
  t.ok(await test.client.get(things, key))
  t.strictSame(await eventsOf(test, 'WatchForbidden'), [])
})

void t.test(
  'without the permission for the watch, it comes back with backoff, and one Event says so',
  async (t) => {
    const permissions = [{ resource: things, verbs: ['get', 'create', 'patch', 'delete', 'list', 'watch'] }]
    const options = { chart: thingChart, permissionValues: false, permissions, reconcilePeriodMs: 0 } as const
    const test = await start(t, options, { permissions: 'declared' })
    await create(test, {})
    await until(async () => (await eventsOf(test, 'WatchForbidden')).length > 0)
    await test.client.create(customResourceDefinitions, ofThings)
    await isDeployedIn(test, 'default')
    const { items } = await test.client.list(events, { namespace: 'default' })
    t.match(
      items.filter(({ reason }) => reason === 'WatchForbidden'),
      [
        {
          series: undefined,
          message:
            /^the program may not list and watch customresourcedefinitions.apiextensions.k8s.io, so it asks with growing delays whether Thing of example.com\/v1 is there; grant both verbs$/,
        },
      ],
      'after several runs',
    )
  },
)

void t.test('the permissions are those for what may be missing', async (t) => {
  const rulesOf = async (options: Partial<HelmControllerOptions>) => {
    const operator = createInternalOperator({ name: 'mine', env: {} })
    operator.register(helmController({ resource: kind, chart: thingChart, ...options }))
    const { controllers } = await operator.describe()
    return controllers
      .flatMap(({ rules }) => rules)
      .filter(({ resource }) => ['namespaces', 'customresourcedefinitions'].includes(resource))
      .map(({ resource, verbs, names = [] }) => `${resource} ${verbs.join()} ${names.join()}`.trim())
  }
  const plain = functionChart({ name: 'plain', version: '1.0.0' }, (_, { name, namespace }) => {
    const object = configMap(name, {})
    return [{ ...object, metadata: { ...object.metadata, namespace } }]
  })
  t.strictSame(await rulesOf({ chart: plain }), [], 'none for the kinds of Kubernetes in one namespace')
  t.strictSame(await rulesOf({}), ['customresourcedefinitions list,watch'])
  t.strictSame(await rulesOf({ chart: plain, targetNamespace: 'apps' }), ['namespaces list,watch apps'])
  const chosen = { target: () => ({}), allow: { namespaces: ['b', 'a'] } }
  t.strictSame(await rulesOf({ chart: plain, ...chosen }), [
    'namespaces list,watch b',
    'namespaces list,watch a',
  ])
  t.strictSame(await rulesOf({ chart: plain, targetNamespace: 'apps', createNamespace: true }), [
    'namespaces get,create',
    'namespaces list,watch apps',
  ])
})

void t.test('an error says what the cluster lacks', (t) => {
  const missing = new ApiError({ code: 404, details: { kind: 'namespaces', name: 'apps' } })
  const causes = [{ reason: 'NamespaceTerminating', message: 'namespace apps is being terminated' }]
  const ending = new ApiError({ code: 403, details: { kind: 'secrets', name: 'x', causes } })
  const unserved = new OperationError('', { unserved: { apiVersion: 'a.b/v1', kind: 'C' } })
  const whatOf = (error: unknown, own?: string) => missingIn(error, own)?.what
  t.equal(whatOf(missing), 'the namespace apps')
  t.equal(whatOf(ending), 'the namespace apps')
  t.equal(
    whatOf(new OperationError('', { cause: new OperationError('', { cause: missing }) })),
    'the namespace apps',
  )
  t.equal(whatOf(new OperationError('', { cause: unserved })), 'C of a.b/v1')
  t.equal(whatOf(missing, 'apps'), undefined, 'the custom resource goes with it')
  t.equal(whatOf(new ApiError({ code: 404, details: { kind: 'configmaps', name: 'apps' } })), undefined)
  t.equal(whatOf(new ApiError({ code: 403, details: { kind: 'secrets', name: 'x' } })), undefined)
  t.equal(whatOf(new Error('no')), undefined)
  t.end()
})

/** Watches on a cluster whose events a test sends, and the keys that they run. */
function watching() {
  const open = new Map<string, { scope: WatchScope; subscriber: Subscriber<WatchEvent> }>()
  const watch$ = (scope: WatchScope) =>
    new Observable<WatchEvent>((subscriber) => {
      const id = `${scope.resource.plural} ${scope.fieldSelector ?? ''}`.trim()
      open.set(id, { scope, subscriber })
      return () => open.delete(id)
    })
  const served: string[] = []
  let questions = 0
  const cluster = {
    name: 'main',
    watch$,
    served: async () => {
      questions += 1
      return served.map((one) => ({ kind: one }))
    },
  } as unknown as Cluster
  const clock = new VirtualClock()
  const ran: string[] = []
  const watches = new MissingWatches(clock, (one) => ran.push(formatKey(one)))
  return {
    open,
    served,
    clock,
    watches,
    questions: () => questions,
    lacks: (index: number, missing?: MissingDependency) =>
      watches.watchFor(keyOf(index), cluster, missing ? [missing] : []).length > 0,
    mayWatch: (missing?: MissingDependency) => missing && watches.mayWatch(cluster, missing),
    emit: (id: string, event: WatchEvent) => open.get(id)?.subscriber.next(event),
    taken: async () => {
      await clock.settle()
      return ran.splice(0)
    },
  }
}
const keyOf = (index: number) => ({ namespace: 'team', name: `release-${index}` })
const apps = missingIn(new ApiError({ code: 404, details: { kind: 'namespaces', name: 'apps' } }), undefined)
const thing = missingIn(
  new OperationError('', { unserved: { apiVersion: 'example.com/v1', kind: 'Thing' } }),
  undefined,
)
const applied = (name: string, more = {}): WatchEvent => ({
  type: 'applied',
  object: { metadata: { name, ...more } } as KubeObject,
})

void t.test(
  'one watch of metadata serves all keys that lack the same, and ends with the last one',
  async (t) => {
    const { lacks, open, emit, taken, watches } = watching()
    for (let index = 0; index < 200; index++) lacks(index, apps)
    t.match(
      [...open.values()].map(({ scope }) => scope),
      [{ resource: namespaces, metadataOnly: true, fieldSelector: 'metadata.name=apps' }],
    )
    emit('namespaces metadata.name=apps', applied('apps', { deletionTimestamp: '2024-01-01T00:00:00Z' }))
    t.strictSame(await taken(), [], 'it is being deleted')
    for (let index = 2; index < 200; index++) lacks(index)
    emit('namespaces metadata.name=apps', applied('apps'))
    t.strictSame(await taken(), ['team/release-0', 'team/release-1'])
    lacks(0)
    t.equal(open.size, 1)
    lacks(1, thing)
    t.strictSame([...open.keys()], ['customresourcedefinitions'], 'it lacks something else')
    watches.close()
    t.equal(open.size, 0)
    t.equal(watches.count, 0)
  },
)

void t.test('a definition runs its keys when its kind is served, which is asked for some time', async (t) => {
  const { lacks, emit, taken, served, clock, questions } = watching()
  lacks(0, thing)
  emit('customresourcedefinitions', applied('things.other.com'))
  t.equal(questions(), 0, 'it is of another group')
  emit('customresourcedefinitions', applied('things.example.com'))
  t.strictSame(await taken(), [])
  await clock.advance(1_000)
  t.strictSame(await taken(), [])
  served.push('Thing')
  await clock.advance(250)
  t.strictSame(await taken(), ['team/release-0'])
  served.pop()
  const before = questions()
  for (let count = 0; count < 10; count++) emit('customresourcedefinitions', applied('things.example.com'))
  await clock.advance(60_000)
  t.equal(questions() - before, 21, 'one more for the events meanwhile, and then no more')
  t.equal(clock.pending, 0)
})

const established = (status: string) => ({
  type: 'applied' as const,
  object: {
    metadata: { name: 'things.example.com' },
    status: { conditions: [{ type: 'Established', status }] },
  } as unknown as KubeObject,
})

void t.test('a new definition runs its keys when its kind is served, or when it is gone', async (t) => {
  const { lacks, open, emit, taken, served, clock, questions } = watching()
  const id = 'customresourcedefinitions metadata.name=things.example.com'
  lacks(0, newDefinition('things.example.com', { apiVersion: 'example.com/v1', kind: 'Thing' }))
  t.match(open.get(id)?.scope, { metadataOnly: false }, 'its status is in the events')
  emit(id, applied('things.example.com'))
  emit(id, established('False'))
  await clock.advance(60_000)
  t.equal(questions(), 0, 'it is not established')
  emit(id, established('True'))
  await clock.advance(250)
  t.strictSame([await taken(), questions()], [[], 2])
  served.push('Thing')
  await clock.advance(250)
  t.strictSame(await taken(), ['team/release-0'])
  emit(id, { ...established('True'), type: 'deleted' })
  t.strictSame([await taken(), questions()], [['team/release-0'], 3], 'one that is gone needs no question')
})

void t.test('a watch that is not allowed is reported once, by one key', async (t) => {
  const { lacks, mayWatch, emit, taken } = watching()
  t.equal(lacks(0, apps), false)
  t.equal(lacks(1, apps), false)
  emit('namespaces metadata.name=apps', { type: 'forbidden' })
  emit('namespaces metadata.name=apps', { type: 'forbidden' })
  t.strictSame(await taken(), ['team/release-0'])
  t.strictSame([lacks(0, apps), lacks(1, apps), lacks(0, apps)], [true, false, false])
  t.strictSame([mayWatch(apps), mayWatch(thing)], [false, true])
})

void t.test('a namespace whose name a chart made of a Secret is not watched', async (t) => {
  const chart = functionChart({ name: 'odd', version: '1.0.0' }, (_, { name }) => {
    const object = configMap(name, {})
    return [
      { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { password: 'hunter2' } },
      { ...object, metadata: { ...object.metadata, namespace: 'hunter2' } },
    ]
  })
  const asked: string[] = []
  const wrap = (transport: Transport): Transport => ({
    close: () => transport.close(),
    request: (request) => {
      asked.push(request.path)
      return transport.request(request)
    },
    stream: (request) => {
      asked.push(request.path)
      return transport.stream(request)
    },
  })
  let runs = 0
  const preHooks = [() => void runs++]
  const test = await start(t, { chart, preHooks, reconcilePeriodMs: 0 }, { wrap })
  await create(test, {})
  await problem(test, 'ReleaseFailed', /namespaces "\[secret\]" not found/)
  await until(async () => runs > 3)
  const named = asked.filter((path) => path.includes('/namespaces?'))
  t.strictSame(named, [])
})
