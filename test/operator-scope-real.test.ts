// Which objects a controller sees: selectors, namespaces and metadata alone, on a real and on the embedded API server.
import t, { type Test } from 'tap'
import { createApiServer } from '../apiserver/api-server.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps, customResourceDefinitions, deployments, namespaces } from '../sdk/engine/kube/builtin.js'
import { formatKey, keyOf } from '../sdk/engine/kube/key.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import type { Transport, TransportRequest } from '../sdk/engine/transport/transport.js'
import {
  type Backup,
  backup,
  backupDefinition,
  backups,
  deploymentFor,
} from '../sdk/operator/backups.fixture.js'
import type { ControllerOptions } from '../sdk/operator/controller/definition.js'
import { owned } from '../sdk/operator/controller/owned.js'
import { byLabel, watch } from '../sdk/operator/controller/watch.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { createInternalOperator } from '../sdk/operator/operator-runtime.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { until } from './until.js'

const merge = (body: object) => ({ type: 'merge', body }) as const

void t.test('on a real API server', { skip: missingAssets(), timeout: 600_000 }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const kubeconfig = await loadKubeconfig({ file: cluster.kubeconfigFile })
  await cases(t, () => createTransport({ kubeconfig }))
})

void t.test('on the embedded API server', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  await cases(t, () => inProcessTransport(server))
})

async function cases(t: Test, open: () => Transport): Promise<void> {
  const transport = open()
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  await client.create(customResourceDefinitions, backupDefinition)
  await until(async () => (await client.list(backups)).items.length === 0)

  /** The media types that ConfigMaps were asked for in. */
  const accepted = new Set<string>()
  const recording = (inner: Transport): Transport => {
    const note = ({ path, headers }: Pick<TransportRequest, 'path' | 'headers'>) => {
      if (path.startsWith('/api/v1/configmaps')) accepted.add(headers?.accept ?? '')
    }
    return {
      request: (request) => {
        note(request)
        return inner.request(request)
      },
      stream: (request) => {
        note(request)
        return inner.stream(request)
      },
      close: () => inner.close(),
    }
  }

  /** Runs one controller for the time of a test, and records its runs. */
  const start = async (t: Test, options: Partial<ControllerOptions<Backup>>) => {
    const runs: string[] = []
    const operator = createInternalOperator({
      name: 'memcached-operator',
      leaderElection: false,
      logger: silentLogger,
      openClusters: async () => ({ transports: new Map([['main', recording(open())]]) }),
    })
    const reconcile: ControllerOptions<Backup>['reconcile'] = async (ctx, object) => {
      await options.reconcile?.(ctx, object)
      runs.push(`${formatKey(ctx.key)} ${ctx.selected ? 'selected' : 'released'}`)
    }
    operator.register(controller(backups, { ...options, reconcile }))
    const ended = operator.start()
    t.teardown(async () => {
      await operator.stop()
      await ended
    })
    await operator.whenRunning()
    return { runs, operator }
  }
  const named = (name: string, metadata: KubeObject['metadata'] = {}) => {
    const { spec } = backup(1)
    return { metadata: { namespace: 'default', name, ...metadata }, spec }
  }

  await t.test('a label selector on the primary: what leaves it is released, not pruned', async (t) => {
    const { runs, operator } = await start(t, {
      labelSelector: 'team=a',
      owns: [deployments],
      finalize: () => {},
      async reconcile(ctx, object) {
        if (ctx.selected) await ctx.apply(deployments, deploymentFor(object as Backup))
      },
    })
    const key = { namespace: 'default', name: 'mine' }
    await client.create(backups, named('mine', { labels: { team: 'a' } }))
    await client.create(backups, named('other'))
    await until(() => runs.includes('default/mine selected'))
    await until(async () => (await client.get(backups, key)).metadata.finalizers !== undefined)
    await quiet(operator)
    t.same(
      runs.filter((run) => run.startsWith('default/other')),
      [],
    )

    await client.patch(backups, key, merge({ metadata: { labels: { team: 'b' } } }))
    await until(async () => (await client.get(backups, key)).metadata.finalizers === undefined)
    await client.patch(deployments, key, merge({ spec: { replicas: 5 } }))
    await quiet(operator)
    t.equal(runs.filter((run) => run === 'default/mine released').length, 1)
    t.equal((await client.get(deployments, key)).spec?.replicas, 5, 'what it owns is left alone')

    await client.patch(backups, key, merge({ metadata: { labels: { team: 'a' } } }))
    await until(async () => (await client.get(deployments, key)).spec?.replicas === 1)
    await client.delete(backups, key)
    await until(
      async () => !(await client.list(backups)).items.some(({ metadata }) => metadata.name === 'mine'),
    )
  })

  await t.test('a field selector on the primary', async (t) => {
    const { runs, operator } = await start(t, { fieldSelector: 'metadata.name=chosen' })
    await client.create(backups, named('chosen'))
    await client.create(backups, named('left-out'))
    await until(() => runs.length > 0)
    await quiet(operator)
    t.same([...new Set(runs)], ['default/chosen selected'])
  })

  await t.test('a label selector on an owned kind: the applied objects must have the labels', async (t) => {
    const errors: unknown[] = []
    const { runs, operator } = await start(t, {
      fieldSelector: 'metadata.name=chosen',
      owns: [owned(configMaps, { labelSelector: 'made-by=us' })],
      async reconcile(ctx) {
        const labels = { 'made-by': 'us' }
        await ctx
          .apply(configMaps, { metadata: { name: 'plain' } })
          .catch((error: unknown) => errors.push(error))
        await ctx.apply(configMaps, { metadata: { name: 'made', labels }, data: { a: '1' } })
      },
    })
    const key = { namespace: 'default', name: 'made' }
    await until(async () => (await client.get(configMaps, key)).data?.a === '1')
    t.match(String(errors[0]), /configmaps plain is not selected by owned/)
    await client.patch(configMaps, key, merge({ metadata: { labels: { 'made-by': 'nobody' } } }))
    await until(async () => (await client.get(configMaps, key)).metadata.labels?.['made-by'] === 'us')
    await quiet(operator)
    t.ok(runs.length < 6, 'it comes to rest')
  })

  await t.test('several namespaces, each with its own watch', async (t) => {
    for (const name of ['one', 'two', 'three']) await client.create(namespaces, { metadata: { name } })
    const seen = new Set<string>()
    const { runs, operator } = await start(t, {
      namespaces: ['one', 'two'],
      watches: [watch(configMaps, { keys: byLabel('backup') })],
      reconcile(ctx) {
        const found = ctx.store(configMaps).byLabel('backup', 'daily')
        for (const object of found) seen.add(formatKey(keyOf(object)))
      },
    })
    for (const namespace of ['one', 'two', 'three']) {
      await client.create(backups, named('daily', { namespace }))
      await client.create(configMaps, {
        metadata: { namespace, name: 'settings', labels: { backup: 'daily' } },
      })
    }
    await until(() => seen.size === 2)
    await quiet(operator)
    t.same([...new Set(runs)].sort(), ['one/daily selected', 'two/daily selected'])
    t.same([...seen].sort(), ['one/settings', 'two/settings'])
  })

  await t.test('metadata alone: no data in the cache, not of own writes either', async (t) => {
    const held: unknown[] = []
    const leftOut: unknown[] = []
    accepted.clear()
    const { operator } = await start(t, {
      fieldSelector: 'metadata.name=chosen',
      watches: [watch(configMaps, { metadataOnly: true, labelSelector: 'app=x', keys: byLabel('backup') })],
      async reconcile(ctx) {
        const [found] = ctx.store(configMaps).byLabel('backup', 'chosen')
        held.push(found && { ...found, metadata: found.metadata.annotations })
        if (found?.metadata.annotations?.x) {
          // An own write after which the watch does not select the object any more.
          await ctx.client.patch(configMaps, keyOf(found), merge({ metadata: { labels: { app: 'y' } } }))
        }
        if (!found || found.metadata.annotations?.seen) return
        const unselected = { namespace: 'default', name: 'unselected' }
        await ctx.client.create(configMaps, { metadata: { ...unselected, labels: { backup: 'chosen' } } })
        leftOut.push(ctx.store(configMaps).get(unselected))
        const body = { metadata: { annotations: { seen: 'true' } }, data: { more: 'x' } }
        await ctx.client.patch(configMaps, keyOf(found), merge(body))
        held.push(Object.keys(ctx.store(configMaps).get(keyOf(found)) ?? {}).sort())
      },
    })
    const labels = { backup: 'chosen', app: 'x' }
    await client.create(configMaps, {
      metadata: { namespace: 'default', name: 'full', labels },
      data: { a: '1' },
    })
    await client.create(configMaps, {
      metadata: { namespace: 'default', name: 'unlabelled' },
      data: { a: '1' },
    })
    await until(() => held.length >= 3)
    await client.patch(
      configMaps,
      { namespace: 'default', name: 'full' },
      merge({ metadata: { annotations: { x: '2' } } }),
    )
    await until(() => held.some((one) => JSON.stringify(one ?? '').includes('"x"')))
    await until(() => held.at(-1) === undefined)
    await quiet(operator)
    t.equal(held.at(-1), undefined, 'what left the selector has left the cache')
    t.same(held[0], undefined)
    t.same(leftOut, [undefined], 'an own write that is not selected')
    t.same(held[1], { apiVersion: 'v1', kind: 'ConfigMap', metadata: undefined })
    t.same(held[2], ['apiVersion', 'kind', 'metadata'])
    t.same(held.findLast(Boolean), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { seen: 'true', x: '2' },
    })
    t.same([...accepted].sort(), [
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    ])
  })
}

/** Resolves when nothing has waited or run for a moment. */
async function quiet(operator: { isIdle(): boolean }): Promise<void> {
  let calm = 0
  await until(() => {
    calm = operator.isIdle() ? calm + 1 : 0
    return calm > 10
  })
}
