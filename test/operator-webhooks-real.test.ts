// The webhooks of an operator on a real API server, which calls them on loopback.
import { get } from 'node:https'
import t from 'tap'
import { createClient } from '../sdk/engine/client/create-client.js'
import {
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
  namespaces,
  pods,
  secrets,
  serviceAccounts,
} from '../sdk/engine/kube/builtin.js'
import { ApiError, isConflict } from '../sdk/engine/kube/error.js'
import { jsonEqual } from '../sdk/engine/kube/json.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { watchResource } from '../sdk/engine/watch/watch-resource.js'
import { validatingWebhookConfigurations } from '../sdk/engine/webhook/configuration/webhook-configuration.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import type { Operator } from '../sdk/operator/operator.js'
import { createInternalOperator } from '../sdk/operator/operator-runtime.js'
import { admission } from '../sdk/operator/webhook/admission.js'
import { caches } from '../sdk/operator/webhook/caches.fixture.js'
import type { InternalWebhookOptions } from '../sdk/operator/webhook/webhook-options.js'
import { freePort } from '../simulator/free-ports.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { startServiceProxy } from './real/service-proxy.js'
import { until } from './until.js'

const skip = missingAssets()
const name = 'cache-operator'
const secretKey = { namespace: 'default', name: `${name}-webhook-certificate` }

/** An object of any fields. */
type Loose = KubeObject & { spec?: Record<string, unknown>; status?: Record<string, unknown> }
const v1 = { ...caches, schemas: undefined, version: 'v1' } as unknown as Resource<Loose>
const v1beta1 = { ...v1, version: 'v1beta1' } as Resource<Loose>
const key = (name: string) => ({ namespace: 'default', name })
const merge = (body: object) => ({ type: 'merge', body }) as const
const disk = { replicas: 2, tier: 'large', store: { disk: { size: '1Gi', iops: 9 } } }

void t.test('the webhooks of an operator on a real API server', { skip, timeout: 600_000 }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const kubeconfig = await loadKubeconfig({ file: cluster.kubeconfigFile })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  const service = await startServiceProxy(t)
  const runs: string[] = []

  const start = async (
    webhooks: Partial<InternalWebhookOptions> = {},
    more: { finalize?: () => void } = {},
  ): Promise<() => Promise<void>> => {
    const port = await freePort()
    const operator: Operator = createInternalOperator({
      name,
      logger: silentLogger,
      openClusters: async () => ({ transports: new Map([['main', createTransport({ kubeconfig })]]) }),
      webhooks: {
        kinds: [caches],
        certificate: 'selfSigned',
        host: '127.0.0.1',
        port,
        url: service.url,
        drainMs: 1500,
        settleMs: 2000,
        ...webhooks,
      },
    })
    operator.register(controller(caches, { ...more, reconcile: (ctx) => void runs.push(ctx.key.name) }))
    const ended = operator.start()
    ended.catch(() => {})
    const stop = async () => {
      // A Service learns a little later that an endpoint is not ready any more.
      setTimeout(() => service.targets.splice(service.targets.indexOf(port), 1), 500)
      await operator.stop()
      await ended
    }
    stops.push(stop)
    // A Service leads to replicas that are ready. Without any, calls fail in either case.
    if (service.targets.length > 0) await until(() => answers(port))
    service.targets.push(port)
    return stop
  }
  const stops: (() => Promise<void>)[] = []
  t.teardown(() => Promise.allSettled(stops.map((stop) => stop())))
  const refusal = async (call: Promise<unknown>): Promise<ApiError> => {
    const error = await call.then(() => new Error('was not refused')).catch((error: unknown) => error)
    if (error instanceof ApiError) return error
    throw error
  }
  const configured = () =>
    until(async () =>
      Boolean(
        await client.get(validatingWebhookConfigurations, { namespace: '', name }).catch(() => undefined),
      ),
    )
  /** API servers apply configurations a moment after they are written. */
  const called = () =>
    until(() =>
      client.create(v1, { metadata: key('probe'), spec: disk }, { dryRun: true }).then(
        ({ metadata }) => metadata.labels?.team !== undefined,
        () => false,
      ),
    )

  // Stored as v1beta1, by a definition of which that was the storage version.
  const definition = withNewerField(crdOf(caches))
  await client.create(customResourceDefinitions, storedAs('v1beta1', definition))
  await until(() =>
    client.list(v1beta1).then(
      () => true,
      () => false,
    ),
  )
  await client.create(v1beta1, { metadata: key('old'), spec: { replicas: 3, diskSize: '5Gi' } })
  const { metadata } = await client.get(customResourceDefinitions, {
    namespace: '',
    name: 'caches.cache.my.domain',
  })
  await client.update(customResourceDefinitions, {
    ...definition,
    metadata: {
      ...definition.metadata,
      ...(metadata.resourceVersion && { resourceVersion: metadata.resourceVersion }),
    },
  })

  await t.test(
    'an operator that must convert what it lists starts alone, and refuses nothing meanwhile',
    async (t) => {
      const refused: unknown[] = []
      let isOver = false
      const load = (async () => {
        for (let at = 0; !isOver; at++) {
          const object = { metadata: key(`early-${at}`), spec: { replicas: 1, store: { memory: {} } } }
          await client.create(v1, object, { dryRun: true }).catch((error: unknown) => refused.push(error))
        }
      })()
      await start()
      await configured()
      await until(async () => runs.includes('old'))
      isOver = true
      await load
      t.same(refused, [])
      t.same((await client.get(v1, key('old'))).spec, { replicas: 3, store: { disk: { size: '5Gi' } } })
      await called()
    },
  )

  await t.test('objects are created, read, listed, applied and deleted in both versions', async (t) => {
    const seen = { v1: new Map<string, unknown>(), v1beta1: new Map<string, unknown>() }
    const watches = [v1, v1beta1].map((resource) =>
      watchResource({ transport, resource }).subscribe((event) => {
        if (!('object' in event)) return
        const { name = '' } = event.object.metadata
        const of = seen[resource.version as keyof typeof seen]
        if (event.type === 'deleted') of.delete(name)
        else of.set(name, event.object.spec)
      }),
    )
    t.teardown(() => watches.map((watch) => watch.unsubscribe()))
    const bothSee = (name: string, ofHub: unknown, ofOld: unknown) =>
      until(() => jsonEqual(seen.v1.get(name), ofHub) && jsonEqual(seen.v1beta1.get(name), ofOld))
    await client.create(v1, { metadata: key('new'), spec: disk })
    await bothSee('new', disk, { replicas: 2, diskSize: '1Gi' })
    const old = await client.get(v1beta1, key('new'))
    t.same(old.spec, { replicas: 2, diskSize: '1Gi' })
    t.same((await client.get(v1, key('new'))).spec, disk)
    t.same(
      (await client.list(v1beta1)).items.map(({ metadata, spec }) => [metadata.name, spec]),
      [
        ['new', { replicas: 2, diskSize: '1Gi' }],
        ['old', { replicas: 3, diskSize: '5Gi' }],
      ],
    )
    t.same(
      (await client.list(v1)).items.map(({ metadata, spec }) => [metadata.name, spec]),
      [
        ['new', disk],
        ['old', { replicas: 3, store: { disk: { size: '5Gi' } } }],
      ],
    )
    // The controller writes the status meanwhile, which is a conflict.
    await until(async () => {
      const latest = await client.get(v1beta1, key('new'))
      const update = client.update(v1beta1, { ...latest, spec: { replicas: 4, diskSize: '1Gi' } })
      return update.then(
        () => true,
        (error: unknown) => !isConflict(error) && Promise.reject(error),
      )
    })
    t.same((await client.get(v1, key('new'))).spec, { ...disk, replicas: 4 })
    await bothSee('new', { ...disk, replicas: 4 }, { replicas: 4, diskSize: '1Gi' })
    const body = {
      apiVersion: 'cache.my.domain/v1beta1',
      kind: 'Cache',
      metadata: key('new'),
      spec: { diskSize: '2Gi', nickname: 'n' },
    }
    await client.patch(v1beta1, key('new'), { type: 'apply', body, fieldManager: 'test', force: true })
    t.match((await client.get(v1beta1, key('new'))).spec, { replicas: 4, diskSize: '2Gi', nickname: 'n' })
    t.same((await client.get(v1, key('new'))).spec?.store, { disk: { size: '2Gi', iops: 9 } })
    await client.patch(v1, key('new'), {
      type: 'merge',
      subresource: 'status',
      body: { status: { nodes: ['n'] } },
    })
    await client.patch(v1beta1, key('new'), { type: 'merge', body: { metadata: { labels: { b: 'b' } } } })
    t.match((await client.get(v1, key('new'))).status, { nodes: ['n'] })
    const applyStatus = (status: object) => {
      const body = { apiVersion: 'cache.my.domain/v1', kind: 'Cache', metadata: key('new'), status }
      const options = { type: 'apply', subresource: 'status', fieldManager: 'zones', force: true } as const
      return client.patch(v1, key('new'), { ...options, body })
    }
    await applyStatus({ nodes: ['n'], zone: 'z' })
    t.match((await client.get(v1, key('new'))).status, { nodes: ['n'], zone: 'z' })
    await applyStatus({ nodes: ['n'] })
    t.match((await client.get(v1, key('new'))).status, { nodes: ['n'], zone: undefined })
    await client.delete(v1beta1, key('new'))
    t.equal((await refusal(client.get(v1, key('new')))).code, 404)
    await bothSee('new', undefined, undefined)
    const applied = { ...body, apiVersion: 'cache.my.domain/v1', metadata: key('applied'), spec: disk }
    await client.patch(v1, key('applied'), { type: 'apply', body: applied, fieldManager: 'test' })
    t.same((await client.get(v1beta1, key('applied'))).spec, { replicas: 2, diskSize: '1Gi' })
    await client.delete(v1, key('applied'))
    t.equal((await refusal(client.get(v1beta1, key('applied')))).code, 404)
    await client.create(v1beta1, { metadata: key('early'), spec: { replicas: 1, nickname: 'n' } })
    t.same((await client.get(v1, key('early'))).spec, { replicas: 1, store: { memory: {} } })
    t.same((await client.get(v1beta1, key('early'))).spec, { replicas: 1, nickname: 'n' })
    await client.delete(v1, key('early'))
  })

  await t.test('objects are defaulted and validated, with all causes, unknown fields kept', async (t) => {
    const made = await client.create(v1, {
      metadata: { namespace: 'default', generateName: 'made-' },
      spec: { ...disk, newer: 'kept' },
    })
    t.match(made, { metadata: { labels: { team: 'system.masters' } }, spec: { newer: 'kept' } })
    const at = key(made.metadata.name ?? '')
    const dry = await client.patch(v1, at, { type: 'merge', body: { spec: { replicas: 50 } }, dryRun: true })
    t.equal(dry.spec?.replicas, 50)
    t.equal((await client.get(v1, at)).spec?.replicas, 2)
    const wrong = { spec: { replicas: 1 } }
    const { code, reason, status, message } = await refusal(
      client.patch(v1, at, { type: 'merge', body: wrong }),
    )
    t.match([code, reason], [422, 'Invalid'])
    t.match(message, /admission webhook ".+" denied the request: .*spec\.replicas: must not shrink/)
    t.match(status.details?.causes, [{ field: 'spec.replicas', message: 'must not shrink' }])
    const repeated = await client.patch(v1, at, { type: 'merge', body: { spec: { tier: 'small' } } })
    t.same(repeated.metadata.labels, made.metadata.labels)
    // A cache that the operator does not watch is an error of the webhook, which says so without content of the object.
    const unread = await refusal(
      client.patch(v1, at, { type: 'merge', body: { spec: { peers: ['secret-name'] } } }),
    )
    t.match(unread.message, /failed calling webhook/)
    t.notMatch(unread.message, /secret-name/)
  })

  await t.test('the Secret of the certificate is back soon, with the same certificate', async (t) => {
    const before = await client.get(secrets, secretKey)
    await client.delete(secrets, secretKey)
    const since = Date.now()
    await until(async () => Boolean(await client.get(secrets, secretKey).catch(() => undefined)))
    t.ok(Date.now() - since < 45_000, 'at once, not when the certificate is checked next, a minute later')
    t.same((await client.get(secrets, secretKey)).data, before.data)
    await called()
  })

  await t.test('a rolling update of two replicas fails no read and no write', async (t) => {
    const [first] = stops
    const load = underLoad(async (at) => {
      await client.get(v1beta1, key('old'))
      await client.create(v1, { metadata: key(`load-${at}`), spec: disk }, { dryRun: true })
    })
    const more = async () => {
      const { count } = load
      await until(() => load.count >= count + 20)
    }
    await more()
    await start()
    await more()
    await first?.()
    stops.shift()
    await more()
    t.same(await load.end(), [])
  })

  await t.test('while the operator is down, nothing is created, and deletions go on', async (t) => {
    const finalizers = ['cache.my.domain/test']
    await client.create(v1, { metadata: { ...key('held'), finalizers }, spec: disk })
    await client.delete(v1, key('held'))
    const ours = 'cache.my.domain/caches'
    await client.create(v1, { metadata: { ...key('waits'), finalizers: [ours] }, spec: disk })
    for (const stop of stops.splice(0)) await stop()
    const { code, message } = await refusal(client.create(v1, { metadata: key('refused'), spec: disk }))
    t.match([code, message], [500, /failed calling webhook/])
    await client.patch(v1, key('held'), {
      type: 'json',
      body: [{ op: 'remove', path: '/metadata/finalizers' }],
    })
    t.equal((await refusal(client.get(v1, key('held')))).code, 404)
    await client.delete(v1, key('waits'))
    t.same((await client.get(v1, key('waits'))).metadata.finalizers, [ours])
    let ends = 0
    const stop = await start({}, { finalize: () => void ends++ })
    await until(async () => (await refusal(client.get(v1, key('waits')))).code === 404)
    t.ok(ends > 0)
    // The next operator has no finalizer.
    for (const { metadata } of (await client.list(v1)).items)
      await client.patch(v1, key(metadata.name ?? ''), merge({ metadata: { finalizers: null } }))
    stops.splice(stops.indexOf(stop), 1)
    await stop()
  })

  await t.test('a webhook of Pods lets those of the operator itself pass while it is down', async (t) => {
    const refuse = () => [{ path: 'spec', message: 'no Pods here' }]
    await client.create(namespaces, { metadata: { name: 'team' } })
    const create = (namespace: string) =>
      client.create(
        pods,
        { metadata: { namespace, name: 'one' }, spec: { containers: [{ name: 'c', image: 'c' }] } },
        { dryRun: true },
      )
    for (const namespace of ['team', 'default', 'kube-system'])
      await client.create(serviceAccounts, { metadata: { namespace, name: 'default' } }).catch(() => {})
    const stop = await start({ kinds: [admission(pods, { validate: refuse, failurePolicy: 'Fail' })] })
    await until(async () => /no Pods here/.test((await refusal(create('team'))).message))
    await create('default')
    stops.splice(stops.indexOf(stop), 1)
    await stop()
    t.match((await refusal(create('team'))).message, /failed calling webhook/)
    for (const namespace of ['default', 'kube-system'])
      t.equal((await create(namespace)).metadata.namespace, namespace)
    await client.delete(validatingWebhookConfigurations, { namespace: '', name })
  })

  await t.test('the certificate is renewed under load without a failure', async (t) => {
    await start({
      kinds: [admission(caches, { operations: ['CREATE', 'UPDATE', 'DELETE'] })],
      lifeMs: 90 * 86_400_000,
    })
    await called()
    for (const stop of stops.splice(0)) await stop()
    // The certificate of another life: the next operator renews it as soon as it is due.
    await client.delete(secrets, secretKey)
    await start({
      kinds: [admission(caches, { operations: ['CREATE', 'UPDATE', 'DELETE'] })],
      lifeMs: 24_000,
      reads: [configMaps],
    })
    await called()
    // API servers trust the certificate that followed the deletion once the definition has its authority.
    await until(() =>
      client.get(v1beta1, key('old')).then(
        () => true,
        () => false,
      ),
    )
    const sinceMs = performance.now()
    const loads = Array.from({ length: 4 }, (_, n) =>
      underLoad(async (at) => {
        await Promise.all([
          client.get(v1beta1, key('old')),
          client.create(v1, { metadata: key(`load-${n}-${at}`), spec: disk }, { dryRun: true }),
        ])
      }),
    )
    const seen = new Set<string>()
    await until(async () => {
      seen.add((await client.get(secrets, secretKey)).data?.['tls.crt'] ?? '')
      return seen.size >= 3
    })
    t.same((await Promise.all(loads.map((load) => load.end()))).flat(), [])
    const requests = 2 * loads.reduce((sum, { count }) => sum + count, 0)
    const seconds = (performance.now() - sinceMs) / 1000
    t.comment(`${requests} requests during two renewals, ${Math.round(requests / seconds)} in a second`)
  })

  await t.test('all causes of a refusal are answered', async (t) => {
    await client.create(v1, { metadata: key('wrong'), spec: disk })
    const body = { spec: { replicas: 1, peers: ['kube-root-ca.crt', 'x', 'y'] } }
    const { code, status } = await refusal(client.patch(v1, key('wrong'), merge(body)))
    t.equal(code, 422)
    const causes = status.details?.causes?.map(({ field }) => field)
    t.strictSame(causes, ['spec.replicas', 'spec.peers[0]', 'spec.peers[1]', 'spec.peers[2]'])
    await client.create(configMaps, { metadata: key('x') })
    const isSeen = async () => {
      const { status } = await refusal(client.patch(v1, key('wrong'), merge(body)))
      return !status.details?.causes?.some(({ field }) => field === 'spec.peers[1]')
    }
    await until(isSeen)
    await client.delete(v1, key('wrong'))
  })

  await t.test('a deletion is validated if the webhook asks for it', async (t) => {
    await client.create(v1, { metadata: { ...key('kept'), labels: { keep: 'true' } }, spec: disk })
    const { reason, status } = await refusal(client.delete(v1, key('kept')))
    t.match([reason, status.details?.causes], ['Invalid', [{ field: 'metadata.labels.keep' }]])
    await client.patch(v1, key('kept'), { type: 'merge', body: { metadata: { labels: { keep: null } } } })
    await client.delete(v1, key('kept'))
  })
})

/** The same definition with another storage version. */
function storedAs(
  version: string,
  { spec, ...definition }: CustomResourceDefinition,
): CustomResourceDefinition {
  const versions = spec.versions.map((one) => ({ ...one, storage: one.name === version }))
  return { ...definition, spec: { ...spec, versions } }
}

/** The definition of a later release, with a field that this operator does not know. */
function withNewerField(definition: CustomResourceDefinition): CustomResourceDefinition {
  const copy = structuredClone(definition)
  const [hub] = copy.spec.versions as {
    schema: { openAPIV3Schema: { properties: { spec: { properties: object } } } }
  }[]
  Object.assign(hub?.schema.openAPIV3Schema.properties.spec.properties ?? {}, { newer: { type: 'string' } })
  return copy
}

/** Between the calls of a load, in milliseconds. Without a pause a load takes all processors for its whole time. */
const betweenCallsMs = 40

/** Makes calls one after the other until `end`, which answers the errors. */
function underLoad(call: (at: number) => Promise<void>) {
  const errors: unknown[] = []
  const load = {
    count: 0,
    isOver: false,
    end: async () => {
      load.isOver = true
      await done
      return errors
    },
  }
  const done = (async () => {
    for (; !load.isOver; load.count++) {
      await call(load.count).catch((error: unknown) => errors.push(String(error)))
      await pause(betweenCallsMs)
    }
  })()
  return load
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Whether an HTTPS server answers at a port. */
const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const call = get({ host: '127.0.0.1', port, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume()
      resolve(true)
    })
    call.once('error', () => resolve(false))
  })
