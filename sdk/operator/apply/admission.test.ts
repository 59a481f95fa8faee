import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { listenForReviews } from '../../../test/conformance/webhook-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { createClient } from '../../engine/client/create-client.js'
import { deployments, events } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { backup, backups, key, memcached } from '../backups.fixture.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'
import { alteredFields } from './altered-fields.js'

const configurations: Resource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  namespaced: false,
}
const dayMs = 24 * 3_600_000

/** An operator on a server whose webhook patches each written Deployment. */
async function operatorWithWebhook(t: Tap, patch: (calls: number) => object[], options = memcached) {
  let calls = 0
  const webhook = await listenForReviews((_path, review) => {
    const { request } = review as { request: { uid: string } }
    const operations = JSON.stringify(patch(calls++))
    const response = {
      uid: request.uid,
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(operations).toString('base64'),
    }
    return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }
  })
  t.teardown(() => webhook.close())
  const clock = new VirtualClock()
  const server = await createApiServer({ clock })
  await createClient({ transport: inProcessTransport(server) }).create(configurations, {
    metadata: { name: 'policy' },
    webhooks: [
      {
        name: 'policy.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: webhook.url, caBundle: webhook.caBundle },
        rules: [
          {
            operations: ['CREATE', 'UPDATE'],
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            resources: ['deployments'],
          },
        ],
      },
    ],
  } as KubeObject)
  return { clock, ...(await recordedOperator(t, options, { servers: { main: server }, clock })) }
}
type Tap = { teardown(done: () => Promise<void>): void }

/** Time passes in steps, so that what takes real time, such as a webhook, can end in between. */
async function pass(clock: VirtualClock, ms: number, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await clock.advance(ms / steps)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

void t.test(
  'nothing is written for a day after defaults, equal quantities and a mutating webhook',
  async (t) => {
    const add = { op: 'add', path: '/metadata/annotations', value: { 'policy.example.com/checked': 'true' } }
    const limit = '/spec/template/spec/containers/0/resources/limits/memory'
    let runs = 0
    const restless: typeof memcached = {
      ...memcached,
      everyMs: 600_000,
      reconcile(ctx, object) {
        runs++
        return memcached.reconcile(ctx, object)
      },
    }
    const { client, clock, writes } = await operatorWithWebhook(
      t,
      () => [add, { op: 'add', path: limit, value: '1Gi' }],
      restless,
    )
    await client.create(backups, backup(3))
    await pass(clock, 60_000, 20)
    const { metadata, spec } = await client.get(deployments, key)
    t.match(metadata.annotations, { 'policy.example.com/checked': 'true' })
    t.match(spec?.template.spec?.containers, [{ resources: { limits: { cpu: '1', memory: '1Gi' } } }])
    writes.length = 0
    runs = 0
    await pass(clock, dayMs, 100)
    t.same(writes, [])
    t.ok(runs >= 130, `${runs} runs`)
  },
)

void t.test(
  'a webhook that sets an intended field to another value each time does not cause a loop of writes',
  async (t) => {
    const replicas = (calls: number) => [{ op: 'replace', path: '/spec/replicas', value: 10 + calls }]
    const { client, clock, writes } = await operatorWithWebhook(t, replicas)
    await client.create(backups, backup(3))
    await pass(clock, 3_600_000, 100)
    const applies = writes.filter((write) => write.endsWith('deployments/daily')).length
    t.equal(applies, 1, 'the answer of the API server counts as applied')
    const warnings = (await client.list(events, { namespace: 'default' })).items.filter(
      ({ reason }) => reason === 'AdmissionChanged',
    )
    t.equal(warnings.length, 1)
    t.match(warnings[0], {
      type: 'Warning',
      message: /Deployment daily has other values .*: spec\.replicas$/,
    })
  },
)

void t.test(
  'a webhook that sets an intended field to another value at each write of others costs few repairs',
  async (t) => {
    const replicas = (calls: number) => [{ op: 'add', path: '/spec/replicas', value: 10 + calls }]
    const { client, clock, writes } = await operatorWithWebhook(t, replicas)
    await client.create(backups, backup(3))
    await pass(clock, 1000, 10)
    writes.length = 0
    for (let second = 0; second < 600; second += 2) {
      await client.patch(deployments, key, merge({ metadata: { labels: { at: `${second}` } } }))
      await pass(clock, 2000, 1)
    }
    const applies = writes.filter((write) => write.endsWith('deployments/daily')).length
    t.ok(applies > 1 && applies <= 15, `${applies} applies during 300 writes of others`)
    const told = (await client.list(events, { namespace: 'default' })).items.map(({ reason }) => reason)
    t.same(
      told.filter((reason) => reason === 'AdmissionChanged'),
      ['AdmissionChanged'],
    )
  },
)

void t.test('only fields with another value count as changed by admission', (t) => {
  const intent = {
    metadata: { name: 'a', labels: { x: '1' } },
    spec: {
      cpu: '1000m',
      at: '2026-01-02T03:04:05.678Z',
      gone: 1,
      paths: ['/a'],
      image: 'a',
      ports: [{ name: 'http', port: 80 }],
    },
  }
  const stored = {
    metadata: { name: 'a', labels: { x: '1', y: '2' } },
    spec: {
      cpu: '1',
      at: '2026-01-02T03:04:05Z',
      paths: ['/b'],
      image: 'b',
      more: true,
      ports: [
        { name: 'more', port: 1 },
        { name: 'http', port: 81 },
      ],
    },
  }
  t.strictSame(alteredFields(intent, stored), ['spec.image', 'spec.ports[0].port'])
  t.end()
})
