import t from 'tap'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import { ApiError } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { caches } from '../../sdk/operator/webhook/caches.fixture.js'
import { testOperator } from './test-operator.js'

type Loose = KubeObject & { spec?: Record<string, unknown> }
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
