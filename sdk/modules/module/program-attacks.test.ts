// Tenants: users who may write Modules and ConfigMaps in namespaces of theirs, and reach neither the namespace of the
// operator nor its files.
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { serveDefinitions } from '../../../testing/operator/serve-definitions.js'
import { testPlugin } from '../../../testing/plugin/test-plugin.js'
import { createClient } from '../../engine/client/create-client.js'
import { configMaps, namespaces } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Operator } from '../../operator/operator.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { moduleControllers } from '../module-controllers.js'
import { digestOf } from '../program/digest.js'
import { definitionAnnotation } from './definition/definition.js'
import {
  createWorkspace,
  definitions,
  type ModulesTest,
  moduleOf,
  shop,
  startModules,
} from './modules.fixture.js'
import type { LoadedProgramsOptions } from './programs/loaded-programs-options.js'
import { copyName } from './programs/program-copy.js'

const ownNamespace = 'operator'
/** A program whose sleep says whose it is. */
const programText = (author: string) => `export default {
  name: 'texts', version: '1.0.0', sdk: '*',
  newManager: () => ({
    async install() {}, async uninstall() {}, async resume() {},
    async sleep(ctx, metaData) { metaData.set('slept by', ${JSON.stringify(author)}) },
  }),
}`
const good = { namespace: ownNamespace, name: 'program' }
const evil = programText('a tenant')
const evilDigest = digestOf(Buffer.from(evil))

async function start(
  t: Parameters<typeof startModules>[0] & { testdir(): string },
  options: Partial<LoadedProgramsOptions> = {},
): Promise<ModulesTest> {
  const server = await createApiServer({ name: 'main' })
  const client = createClient({ transport: inProcessTransport(server) })
  await client.create(namespaces, { metadata: { name: ownNamespace } })
  await client.create(configMaps, { metadata: good, data: { plugin: programText('the operator') } })
  return startModules(t, {
    servers: { main: server },
    ownNamespace,
    modules: { programs: { allow: [], cacheFolder: t.testdir(), ...options } },
  })
}

const moduleWith = (configMap: object, digest?: string): Module =>
  moduleOf({ source: undefined, custom: { program: { configMap, digest } } } as never)

/** Writes copies as the operator would, in a namespace of the tenant. */
async function writeCopies({ client }: ModulesTest, digest: string): Promise<void> {
  for (const name of ['dev', 'test', 'default'])
    await client.create(configMaps, {
      metadata: {
        namespace: 'default',
        name: `${copyName(digest, { name })}-0`,
        labels: {
          'forkspacer.com/program-copy': copyName(digest, { name }),
          'forkspacer.com/program-copies-of': name,
        },
        annotations: { 'forkspacer.com/parts': '1' },
      },
      binaryData: { program: gzipSync(evil).toString('base64') },
    })
}

const settledStatus = async (test: ModulesTest) => {
  await test.settled()
  return (await test.live()).status
}

void t.test(
  'a program of a ConfigMap comes from the namespace of the operator, or from one that is named',
  async (t) => {
    const test = await start(t)
    const own = { namespace: 'default', name: 'program' }
    await test.client.create(configMaps, { metadata: own, data: { plugin: evil } })
    await test.client.create(modules, moduleWith(own))
    t.match(await settledStatus(test), {
      phase: 'failed',
      operation: { reason: 'ProgramError', permanent: true },
      message:
        /^ConfigMap default\/program: programs are loaded only from ConfigMaps of operator; set programs\.configMapNamespaces/,
    })
    await test.change({ custom: { program: { configMap: good } } })
    t.match(await settledStatus(test), { phase: 'ready' })
    for (const configMapNamespaces of [['default'], 'all-namespaces'] as const) {
      const other = await start(t, { configMapNamespaces })
      await other.client.create(configMaps, { metadata: own, data: { plugin: evil } })
      await other.client.create(modules, moduleWith(own))
      t.match(await settledStatus(other), { phase: 'ready' }, String(configMapNamespaces))
    }
  },
)

void t.test('a tenant who writes a frozen definition and a copy runs no program', async (t) => {
  const test = await start(t)
  await writeCopies(test, evilDigest)
  const own = { namespace: 'default', name: 'own' }
  await test.client.create(configMaps, { metadata: own, data: { plugin: evil } })
  for (const program of [
    { configMap: { ...own, key: 'plugin' } },
    { url: 'https://tenant.example/evil.mjs' },
  ]) {
    const frozen = {
      kind: 'Custom',
      metadata: {},
      spec: {},
      values: {},
      program: { ...program, digest: evilDigest },
    }
    const module = moduleWith(own)
    const annotations = { [definitionAnnotation]: JSON.stringify(frozen) }
    await test.client.create(modules, { ...module, metadata: { ...shop, annotations } })
    t.match(await settledStatus(test), { phase: 'failed', operation: { reason: 'ProgramError' } })
    t.notOk((await test.live()).status?.program, 'no manager was made')
    await test.client.patch(modules, shop, {
      type: 'merge',
      body: { metadata: { annotations: { 'forkspacer.com/force-delete': 'true' } } },
    })
    await test.client.delete(modules, shop)
    await test.settled()
  }
})

void t.test(
  'a tenant who replaces the frozen digest of a Module, or its copy, changes nothing of what runs',
  async (t) => {
    const test = await start(t)
    await test.client.create(modules, moduleWith(good))
    t.match(await settledStatus(test), { phase: 'ready' })
    const { items } = await test.client.list(configMaps, {
      labelSelector: 'forkspacer.com/program-copies-of=test',
    })
    t.strictSame(
      items.map(({ metadata }) => metadata.namespace),
      [ownNamespace],
    )
    const { annotations = {} } = (await test.live()).metadata
    const frozen = annotations[definitionAnnotation] ?? ''
    const digest = JSON.parse(frozen).program.digest
    await writeCopies(test, digest)
    await writeCopies(test, evilDigest)
    await test.operator.stop()

    const next = await startModules(t, {
      servers: { main: test.server },
      ownNamespace,
      modules: { programs: { allow: [], cacheFolder: t.testdir({ next: {} }) } },
    })
    await next.client.delete(configMaps, good)
    const write = (text: string) =>
      next.client.patch(modules, shop, {
        type: 'merge',
        body: { metadata: { annotations: { [definitionAnnotation]: text } } },
      })
    await write(frozen.replaceAll(digest, evilDigest))
    await next.change({ hibernated: true })
    t.match(await settledStatus(next), {
      phase: 'sleeping',
      operation: { lastError: /ConfigMap operator\/program does not exist/ },
    })
    await write(frozen)
    await next.client.patch(modules, shop, {
      type: 'merge',
      body: { metadata: { annotations: { 'forkspacer.com/retry': '1' } } },
    })
    t.match(await settledStatus(next), { phase: 'sleeped' })
    const metaData = (await next.live()).metadata.annotations?.['forkspacer.com/manager-data'] ?? ''
    t.strictSame(JSON.parse(metaData), { 'slept by': 'the operator' })
  },
)

void t.test(
  'a plugin keeps copies on the host, and loads programs of tenants only with the option',
  async (t) => {
    const virtualServer = await createApiServer({ name: 'virtual' })
    const virtual = createClient({ transport: inProcessTransport(virtualServer) })
    await serveDefinitions(virtual, definitions)
    await createWorkspace(virtual)
    const own = { namespace: 'default', name: 'program' }
    await virtual.create(configMaps, { metadata: own, data: { plugin: evil } })
    await virtual.create(modules, moduleWith(own))
    const start = (options: Partial<LoadedProgramsOptions>) => {
      const programs = { allow: [], cacheFolder: t.testdir(), ...options }
      const register = (plugin: Operator) =>
        plugin.register(...moduleControllers({ workspaces: 'virtual', programs }))
      return testPlugin(register as never, { virtualServer, logger: silentLogger })
    }
    const statusOf = async () => (await virtual.get(modules, shop)).status
    const refusing = await start({})
    await refusing.settled()
    t.match(await statusOf(), { phase: 'failed', message: /programs are loaded from no ConfigMaps; set/ })
    await refusing.stop()

    const allowing = await start({ configMapNamespaces: ['default'] })
    t.teardown(() => allowing.stop())
    await virtual.patch(modules, shop, { type: 'merge', body: { spec: { timeout: '1m' } } })
    await allowing.settled()
    t.match(await statusOf(), { phase: 'ready' })
    const labelSelector = 'forkspacer.com/program-copies-of=vc-plugin-test'
    const { items } = await allowing.host.list(configMaps, { labelSelector })
    t.strictSame(
      items.map(({ metadata }) => metadata.namespace),
      ['vcluster-vc'],
    )
    t.strictSame((await virtual.list(configMaps, { labelSelector })).items, [])
    await virtual.delete(modules, shop)
    await allowing.settled()
    t.strictSame((await allowing.host.list(configMaps, { labelSelector })).items, [])
  },
)
