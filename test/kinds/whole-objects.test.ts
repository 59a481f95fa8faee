// Rules of whole objects are evaluated by the embedded API server and by a real one.
import t, { type Test } from 'tap'
import * as z from 'zod'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { k } from '../../sdk/operator/kind/k/k.js'
import type { ClusterUnderTest } from '../conformance/cluster-under-test.js'
import { embeddedCluster } from '../conformance/embedded-cluster.js'
import { httpsCluster } from '../conformance/https-cluster.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { until } from '../until.js'

const limits = defineKind({
  group: 'whole.example.com',
  version: 'v1',
  kind: 'Limit',
  fields: k.rule(z.object({ min: z.int(), max: z.int() }), 'self.min <= self.max', {
    message: 'min must not be above max',
    fieldPath: '.min',
  }),
})

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const path = '/apis/whole.example.com/v1/namespaces/default/limits'

async function evaluates(t: Test, cluster: ClusterUnderTest): Promise<void> {
  const send = (method: string, path: string, body?: unknown) =>
    cluster.request({
      method,
      path,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : stringifyJson(body),
    })
  const create = (min: number, max: number) => {
    const object = { apiVersion: 'whole.example.com/v1', kind: 'Limit', metadata: { name: 'a' }, min, max }
    return send('POST', `${path}?dryRun=All`, object)
  }
  t.match(await send('POST', definitions, crdOf(limits)), { status: 201 })
  await until(async () => (await send('GET', path)).status === 200)
  t.match(await create(1, 2), { status: 201 })
  const refused = await create(3, 2)
  t.equal(refused.status, 422)
  t.match(refused.body, { details: { causes: [{ field: 'min', message: /min must not be above max/ }] } })
}

void t.test('the embedded API server evaluates a rule of fields', async (t) => {
  const cluster = await embeddedCluster()
  t.teardown(() => cluster.close())
  await evaluates(t, cluster)
})

const skip = missingAssets()

void t.test('a real API server evaluates a rule of fields', { skip, timeout: 600_000 }, async (t) => {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  const { kubeconfig } = real
  const cluster = await httpsCluster({ name: 'real', kubeconfig, hasControllerManager: false })
  t.teardown(() => cluster.close())
  await evaluates(t, cluster)
})
