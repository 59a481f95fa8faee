import t from 'tap'
import * as z from 'zod'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import { ApiError } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { validatingWebhookConfigurations } from '../../sdk/engine/webhook/configuration/webhook-configuration.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { caches } from '../../sdk/operator/webhook/caches.fixture.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { testOperator } from './test-operator.js'
import { untilPublished } from './test-webhooks.js'

type Loose = KubeObject & { spec?: Record<string, unknown>; status?: Record<string, unknown> }
const older = { ...caches, schemas: undefined, version: 'v1beta1' } as unknown as Resource<Loose>
const key = { namespace: 'default', name: 'a' }

void t.test('an operator under test converts, defaults and validates', async (t) => {
  const test = await testOperator(
    (operator) =>
      operator.register(
        controller(caches, {
          reconcile: (ctx, { spec }) => {
            ctx.status.nodes = Array.from({ length: spec.replicas }, (_, at) => `node-${at}`)
            ctx.condition('Ready', true, 'Counted')
          },
        }),
      ),
    { definitions: [crdOf(caches)], webhooks: { kinds: [caches], reads: [configMaps] } },
  )
  t.teardown(() => test.stop())
  const { client } = test
  const made = await client.create(older, {
    metadata: key,
    spec: { replicas: 2, diskSize: '1Gi', nickname: 'b' },
  })
  t.match(made, { metadata: { labels: { team: String } }, spec: { diskSize: '1Gi', nickname: 'b' } })
  await test.settled()
  const live = await client.get(caches, key)
  t.strictSame(live.spec, { replicas: 2, store: { disk: { size: '1Gi' } } })
  t.strictSame(live.status?.nodes, ['node-0', 'node-1'])
  t.match(await client.get(older, key), { spec: { replicas: 2, diskSize: '1Gi', nickname: 'b' } })

  const shrink = client.patch(older, key, { type: 'merge', body: { spec: { replicas: 1 } } })
  const refusal = await shrink.catch((error: unknown) => error)
  t.ok(refusal instanceof ApiError)
  t.match(String(refusal), /must not shrink/)
})

void t.test('clients of each version keep the fields of the status that only the other has', async (t) => {
  const spec = z.object({ size: z.int() })
  const text = z.string().optional()
  const orders = defineKind({
    group: 'cache.my.domain',
    version: 'v1',
    kind: 'Order',
    spec,
    status: z.object({ one: text, two: text, both: text }),
    versions: {
      v1beta1: { spec, status: z.object({ both: text }), toHub: (spec) => spec, fromHub: (spec) => spec },
    },
  })
  const inOlder = { ...orders, schemas: undefined, version: 'v1beta1' } as unknown as Resource<Loose>
  const test = await testOperator((operator) => operator.register(controller(caches, { reconcile() {} })), {
    definitions: [crdOf(caches), crdOf(orders)],
    webhooks: { kinds: [caches, orders], reads: [configMaps] },
  })
  t.teardown(() => test.stop())
  const { client } = test
  await client.create(orders, { metadata: key, spec: { size: 1 } })
  const applyStatus = (status: object) => {
    const body = { apiVersion: 'cache.my.domain/v1', kind: 'Order', metadata: key, status }
    const options = { type: 'apply', subresource: 'status', fieldManager: 'm', force: true } as const
    return client.patch(orders, key, { ...options, body })
  }
  const label = (value: string, annotations = {}) => {
    const metadata = { ...key, labels: { value }, annotations }
    const body = { apiVersion: 'cache.my.domain/v1beta1', kind: 'Order', metadata, spec: { size: 1 } }
    return client.patch(inOlder, key, { type: 'apply', fieldManager: 'old', force: true, body })
  }
  const status = async () => (await client.get(orders, key)).status
  await applyStatus({ one: '1', two: '2', both: 'b' })
  await label('a')
  t.strictSame(await status(), { one: '1', two: '2', both: 'b' })
  await applyStatus({ two: '2', both: 'b' })
  t.strictSame(await status(), { two: '2', both: 'b' }, 'a field that is not applied any more goes')
  const forged = { 'cache.my.domain/unconverted': '{"v1":[{"path":["status","one"],"value":"forged"}]}' }
  await label('b', forged)
  t.strictSame(await status(), { two: '2', both: 'b' })
})

void t.test('configurations that the operator never writes are missed, by their name', async (t) => {
  const client = createClient({ transport: inProcessTransport(await createApiServer()) })
  const webhooks = { configurationKinds: ['ValidatingWebhookConfiguration'] }
  const description = {
    name: 'test',
    webhooks,
    url: 'https://127.0.0.1:1',
  } as unknown as OperatorDescription & { url: string }
  await t.rejects(untilPublished(client, description, { limitMs: 0 }), {
    message:
      /^the operator has not written its ValidatingWebhookConfiguration test after 0 s; its log says why$/,
  })
})

void t.test('the configurations of an earlier operator are not those of the next one', async (t) => {
  const client = createClient({ transport: inProcessTransport(await createApiServer()) })
  const url = 'https://127.0.0.1:2'
  const configuration = (port: number) => ({
    metadata: { name: 'test' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: `https://127.0.0.1:${port}/validate/caches` },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  })
  await client.create(validatingWebhookConfigurations, configuration(1) as never)
  const webhooks = { configurationKinds: ['ValidatingWebhookConfiguration'] }
  const description = { name: 'test', webhooks, url } as unknown as OperatorDescription & { url: string }
  await t.rejects(untilPublished(client, description, { limitMs: 0 }), /has not written/)
  const { webhooks: next } = configuration(2)
  const body = { webhooks: next }
  await client.patch(
    validatingWebhookConfigurations,
    { namespace: '', name: 'test' },
    { type: 'merge', body },
  )
  await untilPublished(client, description, { limitMs: 0 })
})
