// When an operator that writes its webhook configurations itself is ready, on a real API server behind a Service that
// leads to ready replicas only.
import t, { type Test } from 'tap'
import { createClient } from '../sdk/engine/client/create-client.js'
import { Probes } from '../sdk/engine/health/probes.js'
import { customResourceDefinitions } from '../sdk/engine/kube/builtin.js'
import { ApiError } from '../sdk/engine/kube/error.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import type { Transport, TransportRequest } from '../sdk/engine/transport/transport.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../sdk/engine/webhook/configuration/webhook-configuration.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import { createInternalOperator } from '../sdk/operator/operator-runtime.js'
import { caches } from '../sdk/operator/webhook/caches.fixture.js'
import { freePort } from '../simulator/free-ports.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { startServiceProxy } from './real/service-proxy.js'
import { until } from './until.js'

const name = 'cache-operator'
type Loose = KubeObject & { spec?: Record<string, unknown> }
const v1 = { ...caches, schemas: undefined, version: 'v1' } as unknown as Resource<Loose>
const v1beta1 = { ...v1, version: 'v1beta1' } as Resource<Loose>

void t.test('the start of an operator with webhooks', { skip: missingAssets() }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const kubeconfig = await loadKubeconfig({ file: cluster.kubeconfigFile })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  const service = await startServiceProxy(t)
  await client.create(customResourceDefinitions, crdOf(caches))
  await until(() => client.list(v1).then(() => true))

  /** Starts a replica. It is behind the Service while it is ready. With `isDenied` it may not write configurations. */
  const start = async (t: Test, { isDenied = false } = {}) => {
    const own = createTransport({ kubeconfig })
    const [port, metricsPort] = [await freePort(), await freePort()]
    const operator = createInternalOperator({
      name,
      logger: silentLogger,
      probes: new Probes({ METRICS_ADDRESS: `127.0.0.1:${metricsPort}` }),
      openClusters: async () => ({
        transports: new Map([['main', isDenied ? withoutConfigurations(own) : own]]),
      }),
      webhooks: {
        kinds: [caches],
        certificate: 'selfSigned',
        host: '127.0.0.1',
        port,
        url: service.url,
        drainMs: 0,
      },
    })
    operator.register(controller(caches, { reconcile() {} }))
    const ended = operator.start()
    ended.catch(() => {})
    t.teardown(async () => {
      const at = service.targets.indexOf(port)
      if (at >= 0) service.targets.splice(at, 1)
      await operator.stop()
    })
    const checks = () => fetch(`http://127.0.0.1:${metricsPort}/readyz`)
    const ready = async () => {
      await until(async () => (await checks()).ok, { everyMs: 5 })
      service.targets.push(port)
    }
    return { ready, checks: async () => (await checks()).text() }
  }
  const configurations = () =>
    Promise.all(
      [mutatingWebhookConfigurations, validatingWebhookConfigurations].map((resource) =>
        client.get(resource, { namespace: '', name }),
      ),
    )

  await t.test('the first leader is ready only when its configurations exist', async (t) => {
    const { ready } = await start(t)
    await ready()
    await t.resolves(configurations())
    // Objects are never stored without their defaults, nor converted without the webhook: until then they are refused.
    // Some arrive at every moment, because a review that waits for a cache ends after the conversion is configured.
    const refused = new Set<string>()
    const stored: KubeObject[] = []
    const create = (name: string) =>
      client.create(v1beta1, { metadata: { namespace: 'default', name }, spec: { diskSize: '5Gi' } }).then(
        (object) => void stored.push(object),
        (error: unknown) => void refused.add(error instanceof ApiError ? error.message : String(error)),
      )
    const creations: Promise<void>[] = []
    await until(() => creations.push(create(`first-${creations.length}`)) > 0 && stored.length > 0)
    await Promise.all(creations)
    for (const one of refused) t.match(one, /failed calling webhook/)
    for (const { metadata } of stored) {
      const object = await client.get(v1, { namespace: 'default', name: metadata.name ?? '' })
      t.match(object.spec, { store: { disk: { size: '5Gi' } } })
      t.ok(object.metadata.labels?.team)
    }

    await t.test('a standby is ready without writing anything, also where there are none', async (t) => {
      for (const resource of [mutatingWebhookConfigurations, validatingWebhookConfigurations])
        await client.delete(resource, { namespace: '', name })
      await t.resolves((await start(t)).ready())
    })
  })

  await t.test('a leader that may not write its configurations', async (t) => {
    const definition = { namespace: '', name: `${caches.plural}.${caches.group}` }
    const strategy = async () =>
      (await client.get(customResourceDefinitions, definition)).spec.conversion?.strategy
    const reset = { spec: { conversion: { strategy: 'None', webhook: null } } }
    await client.patch(customResourceDefinitions, definition, { type: 'merge', body: reset })

    await t.test('is not ready, and objects are converted', async (t) => {
      const { checks } = await start(t, { isDenied: true })
      await until(async () => (await strategy()) === 'Webhook')
      t.match(await checks(), '[-]webhook-configurations failed')
      await t.rejects(configurations())
    })

    await t.test('is ready with those of an earlier release', async (t) => {
      for (const resource of [mutatingWebhookConfigurations, validatingWebhookConfigurations])
        await client.create(resource, { metadata: { namespace: '', name }, webhooks: [] })
      const { checks } = await start(t, { isDenied: true })
      await until(async () => {
        const text = await checks()
        return !text.includes('standby') && text.includes('[+]webhook-configurations ok')
      })
    })
  })
})

/** An account that may not write configurations of webhooks. */
function withoutConfigurations(transport: Transport): Transport {
  const body = Buffer.from(
    JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 }),
  )
  const isDenied = ({ method, path }: TransportRequest) =>
    method !== 'GET' && path.includes('/admissionregistration.k8s.io/')
  return {
    request: async (request) =>
      isDenied(request)
        ? { status: 403, headers: { 'content-type': 'application/json' }, body }
        : transport.request(request),
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  }
}
