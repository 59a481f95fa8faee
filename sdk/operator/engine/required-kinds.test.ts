import t from 'tap'
import * as z from 'zod'
import { type ApiServer, createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { configMaps, customResourceDefinitions, deployments } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import type { Transport } from '../../engine/transport/transport.js'
import { backup, backupDefinition, backups, key, memcached } from '../backups.fixture.js'
import { byLabel, watch } from '../controller/watch.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'
import { createInternalOperator } from '../operator-runtime.js'
import { controller } from './controller.js'

const others = defineKind({
  group: 'other.my.domain',
  version: 'v1',
  kind: 'Other',
  spec: z.object({ text: z.string() }),
  status: z.object({ seen: z.string().optional() }),
})
const definitionKey = (name = '') => ({ namespace: '', name })
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

interface Surroundings {
  server?: ApiServer
  wrap?: (transport: Transport) => Transport
  logger?: Logger
  before?: (client: Client) => Promise<void>
  clock?: VirtualClock
}

/** Two controllers; the second one is always able to work. */
async function twoControllers(
  t: Tap,
  options = memcached,
  { server: given, wrap = (transport) => transport, before, logger = silentLogger, clock }: Surroundings = {},
) {
  const server = given ?? (await createApiServer())
  const client = createClient({ transport: inProcessTransport(server) })
  await client.create(customResourceDefinitions, crdOf(others))
  await before?.(client)
  const operator = createInternalOperator({
    name: 'two',
    env: {},
    logger,
    ...(clock && { clock }),
    leaderElection: false,
    openClusters: async () => ({ transports: new Map([['main', wrap(inProcessTransport(server))]]) }),
  })
  operator.register(controller(backups, options))
  operator.register(
    controller(others, {
      reconcile: (ctx, { spec }) => {
        ctx.status.seen = spec.text
      },
    }),
  )
  const ended = operator.start()
  t.teardown(async () => {
    await operator.stop()
    await ended
  })
  const turn = () => clock?.advance(100) ?? nextTurn()
  const othersWork = async (text: string) => {
    const write = { metadata: { ...key, name: text }, spec: { text } }
    await untilDone(() => client.create(others, write), turn)
    await untilDone(async () => {
      const { status } = await client.get(others, write.metadata)
      if (status?.seen !== text) throw new Error('not yet')
    }, turn)
  }
  return { client, operator, othersWork }
}
type Tap = { teardown(done: () => Promise<void>): void }

/** Repeats a step until it does not reject. */
async function untilDone(
  step: () => Promise<unknown>,
  turn: () => Promise<unknown> = nextTurn,
): Promise<void> {
  for (;;) {
    try {
      await step()
      return
    } catch {
      await turn()
    }
  }
}

void t.test('a controller whose kind is not installed waits for it, and the others work', async (t) => {
  const clock = new VirtualClock()
  const server = await createApiServer({ clock })
  const { client, othersWork } = await twoControllers(t, memcached, { server, clock })
  await othersWork('first')
  await clock.advance(600_000)
  await client.create(customResourceDefinitions, backupDefinition)
  const installedMs = clock.now()
  const turn = () => clock.advance(100)
  await untilDone(() => client.create(backups, backup(2)), turn)
  await untilDone(() => client.get(deployments, key), turn)
  t.equal((await client.get(deployments, key)).spec?.replicas, 2)
  t.ok(clock.now() - installedMs <= 5000, `it begins after ${clock.now() - installedMs} ms`)
})

void t.test(
  'a definition that is removed and installed again deletes nothing, and the work goes on',
  async (t) => {
    const { client, othersWork } = await twoControllers(t, {
      owns: [configMaps],
      async reconcile(ctx, { spec }) {
        await ctx.apply(configMaps, { metadata: { name: 'one' }, data: { size: `${spec.size}` } })
      },
    })
    const size = async () => (await client.get(configMaps, { ...key, name: 'one' })).data?.size
    const isSize = (wanted: string) =>
      untilDone(async () => {
        if ((await size()) !== wanted) throw new Error('not yet')
      })
    await client.create(customResourceDefinitions, backupDefinition)
    await untilDone(() => client.create(backups, backup(2)))
    await isSize('2')
    await client.patch(
      configMaps,
      { ...key, name: 'one' },
      {
        type: 'merge',
        body: { metadata: { ownerReferences: null } },
      },
    )
    await client.delete(customResourceDefinitions, definitionKey(backupDefinition.metadata.name))
    await othersWork('meanwhile')
    t.equal(await size(), '2', 'an object that the garbage collector leaves is not deleted')
    await client.delete(configMaps, { ...key, name: 'one' })
    await untilDone(() => client.create(customResourceDefinitions, backupDefinition))
    await untilDone(() => client.create(backups, backup(3)))
    await isSize('3')
  },
)

void t.test(
  'a permission that is missing is named, stops only its own controller, and starts it once it is granted',
  async (t) => {
    const as = { user: 'operator', groups: ['system:authenticated'], extra: {} }
    const impersonating = (inner: Transport): Transport => ({
      request: (request) => inner.request({ ...request, as }),
      stream: (request) => inner.stream({ ...request, as }),
      close: () => inner.close(),
    })
    const clock = new VirtualClock()
    const turn = () => clock.advance(10)
    const warnings: string[] = []
    const logger: Logger = {
      ...silentLogger,
      warn: (fields, text) => void warnings.push(`${clock.now()} ms: ${JSON.stringify(fields)} ${text}`),
      child: () => logger,
    }
    const watching = { ...memcached, watches: [watch(configMaps, { keys: byLabel('backup') })] }
    const { client, othersWork } = await twoControllers(t, watching, {
      logger,
      server: await createApiServer({ authorization: 'rbac', clock }),
      clock,
      wrap: impersonating,
      before: (admin) => grant(admin, ['apps', 'cache.my.domain', 'other.my.domain', 'events.k8s.io']),
    })
    await client.create(customResourceDefinitions, backupDefinition)
    await untilDone(() => client.create(backups, backup(2)), turn)
    const named = () => warnings.find((text) => text.includes('cannot list resource'))
    await untilDone(async () => named() ?? Promise.reject(new Error('not yet')), turn)
    t.ok(Number.parseInt(named() ?? '', 10) <= 1000, `${named()}`)
    t.match(warnings.join('\n'), 'cannot list resource \\"configmaps\\"')
    t.match(warnings.join('\n'), 'its controllers wait: grant list and watch on it')
    await othersWork('meanwhile')
    await t.rejects(client.get(deployments, key), /not found/)
    await grant(client, [''])
    await untilDone(() => client.get(deployments, key), turn)
  },
)

/** Allows the operator everything in some API groups. */
async function grant(client: Client, apiGroups: readonly string[]): Promise<void> {
  const name = `groups-${apiGroups.length}`
  const kind = (kind: string) => ({
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: false,
  })
  await client.create(kind('ClusterRole'), {
    metadata: { name },
    rules: [{ apiGroups, resources: ['*'], verbs: ['*'] }],
  } as KubeObject)
  await client.create(kind('ClusterRoleBinding'), {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'operator' }],
  } as KubeObject)
}
