// Tests client-go and controller-runtime with the embedded server and a real one, by the programs in test/go.
import { join } from 'node:path'
import {
  ApiextensionsV1Api,
  ApisApi,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
  Watch,
} from '@kubernetes/client-node'
import t, { type Test } from 'tap'
import { type ApiServer, createApiServer } from '../../testing/index.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { until } from '../until.js'
import { buildGoPrograms, type GoProgram, startGoProgram } from './go-program.js'
import { SeenLines } from './seen.js'

t.setTimeout(600_000)

const { folder, missing } = await buildGoPrograms()

/** A server, its client, and a way to run programs in a namespace of it. */
interface ProgramEnvironment {
  readonly namespace: string
  readonly config: KubeConfig
  readonly core: CoreV1Api
  start(program: string, identity: string): GoProgram
}

async function environmentOn(t: Test, kubeconfig: string, namespace: string): Promise<ProgramEnvironment> {
  const file = join(t.testdir({ kubeconfig }), 'kubeconfig')
  const config = new KubeConfig()
  config.loadFromString(kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  await core.createNamespace({ body: { metadata: { name: namespace } } })
  const start = (program: string, identity: string) => {
    const env = { KUBECONFIG: file, NAMESPACE: namespace, IDENTITY: identity, HOME: t.testdirName }
    const running = startGoProgram(join(folder, program), env)
    t.teardown(() => running.end('SIGKILL'))
    return running
  }
  return { namespace, config, core, start }
}

async function embedded(t: Test): Promise<ApiServer> {
  const server = await createApiServer({ controllers: false })
  t.teardown(() => server.close())
  await server.listen()
  return server
}

async function write({ core, namespace }: ProgramEnvironment, name: string, text: string): Promise<void> {
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data: { text } } })
}

/**
 * Runs two informers, of which one leads. It is killed, and the other takes over. When that one stops, it
 * releases its Lease.
 */
async function takeOver(t: Test, environment: ProgramEnvironment): Promise<void> {
  const { core, namespace, config, start } = environment
  await write(environment, 'before', 'x')
  const first = start('informer', 'first')
  await first.seen.until('synced')
  const second = start('informer', 'second')
  await second.seen.until('leader first')
  await write(environment, 'one', 'x')
  const body = { metadata: { name: 'one' }, data: { text: 'y' } }
  await core.replaceNamespacedConfigMap({ name: 'one', namespace, body })
  await core.deleteNamespacedConfigMap({ name: 'one', namespace })
  await first.seen.until('deleted one y')
  t.strictSame(
    first.seen.lines.filter((line) => !/^(leader|synced)/.test(line)),
    ['added before x', 'added one x', 'updated one y', 'deleted one y'],
  )
  await first.end('SIGKILL')
  await second.seen.until('leader second', 'added before x', 'synced')
  await second.end('SIGTERM')
  t.ok(second.seen.lines.includes('stopped'))
  const leases = config.makeApiClient(CoordinationV1Api)
  const { spec } = await leases.readNamespacedLease({ name: 'informer', namespace })
  t.equal(spec?.holderIdentity, '', 'a process that stops in order releases the Lease')
  t.ok((spec?.leaseTransitions ?? 0) >= 1)
}

const sized = { type: 'object', properties: { text: { type: 'string' }, applied: { type: 'string' } } }

const definition = {
  metadata: { name: 'greetings.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'greetings', singular: 'greeting', kind: 'Greeting' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: sized, status: sized } } },
      },
    ],
  },
}

interface Told {
  readonly metadata: { readonly name: string; readonly resourceVersion: string }
  readonly data?: Readonly<Record<string, string>>
  readonly status?: { readonly applied?: string; readonly conditions?: { type: string; status: string }[] }
}

/**
 * Watches a path from its present state. Each event is a line. An API server ends the watches of a kind whose
 * definition changes, and a new definition changes until it is established, so a watch that ended goes on after its
 * last event.
 */
async function follow(t: Test, { config }: ProgramEnvironment, path: string): Promise<SeenLines> {
  const seen = new SeenLines()
  let resourceVersion: string | undefined
  const tell = (type: string, { metadata, data, status }: Told) => {
    if (type === 'ERROR') return seen.end(`the watch of ${path} failed`)
    resourceVersion = metadata.resourceVersion
    const conditions = status?.conditions?.map(({ type, status }) => `${type}=${status}`)
    const told = data?.text ?? status?.applied ?? conditions?.at(-1) ?? 'nothing'
    seen.add(`${type} ${metadata.name} ${told}`)
  }
  const watches = new Watch(config)
  const ended = new AbortController()
  t.teardown(() => ended.abort())
  const begin = async (): Promise<void> => {
    if (ended.signal.aborted) return
    const watch = await watches.watch(path, { resourceVersion }, tell, () => void begin())
    ended.signal.addEventListener('abort', () => watch.abort())
  }
  await begin()
  return seen
}

/** Discovery may name a kind later than its definition is established. A manager asks discovery once, and exits. */
async function isServed({ config }: ProgramEnvironment): Promise<boolean> {
  const { groups } = await config.makeApiClient(ApisApi).getAPIVersions()
  const { resources } = await config
    .makeApiClient(CustomObjectsApi)
    .getAPIResources({ group: 'example.com', version: 'v1' })
  return (
    groups.some(({ name }) => name === 'example.com') && resources.some(({ kind }) => kind === 'Greeting')
  )
}

async function defineGreetings(t: Test, environment: ProgramEnvironment): Promise<void> {
  const definitions = environment.config.makeApiClient(ApiextensionsV1Api)
  await definitions.createCustomResourceDefinition({ body: definition })
  const seen = await follow(t, environment, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
  await seen.holds(() => seen.lines.some((line) => line.endsWith('greetings.example.com Established=True')))
  await until(() => isServed(environment))
}

/**
 * Runs two managers, of which one leads: checks what it applies, reports and blocks, and that the other
 * continues.
 */
async function manage(t: Test, environment: ProgramEnvironment): Promise<void> {
  const { namespace, config, core, start } = environment
  await defineGreetings(t, environment)
  const first = start('manager', 'first')
  await first.seen.until('leading')
  start('manager', 'second')
  const configMaps = await follow(t, environment, `/api/v1/namespaces/${namespace}/configmaps`)
  const greetings = await follow(t, environment, `/apis/example.com/v1/namespaces/${namespace}/greetings`)
  const custom = config.makeApiClient(CustomObjectsApi)
  const at = { group: 'example.com', version: 'v1', namespace, plural: 'greetings' }
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)
  const say = (text: string) =>
    custom.patchNamespacedCustomObject({ ...at, name: 'hello', body: { spec: { text } } }, merge)

  const hello = { apiVersion: 'example.com/v1', kind: 'Greeting', metadata: { name: 'hello' } }
  await custom.createNamespacedCustomObject({ ...at, body: { ...hello, spec: { text: 'one' } } })
  await configMaps.until('ADDED hello one')
  await greetings.until('MODIFIED hello one')
  const others = { name: 'hello', namespace, body: { data: { other: 'x' } } }
  await core.patchNamespacedConfigMap(others, merge)
  await say('two')
  await configMaps.until('MODIFIED hello two')
  const { data, metadata } = await core.readNamespacedConfigMap({ name: 'hello', namespace })
  t.strictSame(data, { text: 'two', other: 'x' }, 'a field of another manager is kept')
  t.match(metadata?.ownerReferences, [{ kind: 'Greeting', name: 'hello', controller: true }])
  await core.deleteNamespacedConfigMap({ name: 'hello', namespace })
  await configMaps.until('DELETED hello two', 'ADDED hello two')

  await first.end('SIGKILL')
  await say('three')
  await configMaps.until('MODIFIED hello three')
  await greetings.until('MODIFIED hello three')
  await custom.deleteNamespacedCustomObject({ ...at, name: 'hello' })
  await configMaps.until('ADDED farewell-hello nothing')
  await greetings.until('DELETED hello three')
}

void t.test('a client-go informer and its leader election', { skip: missing }, async (t) => {
  void t.test('one follows the ConfigMaps and the other takes over', async (t) => {
    const server = await embedded(t)
    await takeOver(t, await environmentOn(t, await server.kubeconfig(), 'informer'))
  })
  void t.test('it lists again when its history is compacted', async (t) => {
    const server = await embedded(t)
    const environment = await environmentOn(t, await server.kubeconfig(), 'compacted')
    const { core, namespace } = environment
    await write(environment, 'gone', 'x')
    await write(environment, 'stays', 'x')
    const { seen } = environment.start('informer', 'only')
    await seen.until('added gone x', 'added stays x', 'synced')
    await write(environment, 'seen', 'x')
    await seen.until('added seen x')
    const watches = { verb: 'watch', resource: 'configmaps' }
    const held = server.faults.add(watches, { type: 'delay', delayMs: 3_600_000 })
    // A restore ends every watch in order, so client-go comes back with its last resourceVersion.
    server.restore(server.snapshot())
    await core.deleteNamespacedConfigMap({ name: 'gone', namespace })
    await write(environment, 'late', 'x')
    server.compact()
    held.remove()
    // Only a list reports an object that was deleted without an event.
    await seen.until('added late x', 'missed gone x')
  })
  void t.test('it goes on when its watch breaks', async (t) => {
    const server = await embedded(t)
    const environment = await environmentOn(t, await server.kubeconfig(), 'broken')
    // The events are the bookmark after the initial objects, of which there are none, and one object.
    const watches = { verb: 'watch', resource: 'configmaps' }
    server.faults.add(watches, { type: 'resetWatch', afterEvents: 2 }, { times: 1 })
    const { seen } = environment.start('informer', 'only')
    await seen.until('synced')
    for (const name of ['one', 'two', 'three']) {
      await write(environment, name, 'x')
      await seen.until(`added ${name} x`)
    }
  })
})

void t.test('a controller-runtime manager', { skip: missing }, async (t) => {
  const server = await embedded(t)
  await manage(t, await environmentOn(t, await server.kubeconfig(), 'manager'))
})

/** The expected output of each client of `deleter`, in order. */
const deletes = [
  'create one: ok',
  'create two: ok',
  'create a deployment: ok',
  'delete another one: Conflict',
  'delete in a dry run: ok',
  'delete all in a dry run: ok',
  'there are [one two]: ok',
  'delete one: ok',
  'there are [two]: ok',
  'delete all: ok',
  'there are []: ok',
  'delete what is gone: NotFound',
  'delete the deployment: ok',
]

/** Deletes objects by typed clients, in each of their body formats. */
async function deleteAll(t: Test, { start }: ProgramEnvironment): Promise<void> {
  const { seen, exited } = start('deleter', 'only')
  const clients = [
    'client-go',
    'client-go in protobuf',
    'client-go in JSON',
    'controller-runtime',
    'controller-runtime in protobuf',
  ]
  t.equal(await exited, '', 'the program has no complaints')
  const expected = clients.flatMap((client) => deletes.map((line) => `${client}: ${line}`))
  t.strictSame(seen.lines, expected)
}

void t.test('typed clients of client-go and controller-runtime delete', { skip: missing }, async (t) => {
  const server = await embedded(t)
  await deleteAll(t, await environmentOn(t, await server.kubeconfig(), 'deleter'))
})

void t.test('the same on a real server', { skip: missing || missingAssets() }, async (t) => {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  await t.test('the informer', async (t) => takeOver(t, await environmentOn(t, real.kubeconfig, 'informer')))
  await t.test('the manager', async (t) => manage(t, await environmentOn(t, real.kubeconfig, 'manager')))
  await t.test('the deleter', async (t) => deleteAll(t, await environmentOn(t, real.kubeconfig, 'deleter')))
})
