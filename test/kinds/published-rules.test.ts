// The embedded API server and a real one accept and evaluate the rules that kinds publish.
import t, { type Test } from 'tap'
import * as z from 'zod'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { k } from '../../sdk/operator/kind/k/k.js'
import { convertSchema } from '../../sdk/operator/kind/schema/convert.js'
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

const row = z.object({ name: z.string(), size: k.immutable(z.int()) })
const rowsOf = (list: z.ZodType) => z.object({ list })

/** Schemas with a rule that uses `oldSelf`, and whether an API server finds a former value for it. */
const transitions: readonly (readonly [z.ZodType, boolean])[] = [
  [rowsOf(z.array(row)), false],
  [rowsOf(k.listMap(row, ['name'])), true],
  [rowsOf(k.listSet(k.immutable(z.string()))), false],
  [rowsOf(k.immutable(z.array(z.string()))), true],
  [rowsOf(z.record(z.string(), row)), true],
  [rowsOf(k.atomic(row)), true],
  [rowsOf(k.listMap(row.extend({ inner: z.array(row) }), ['name'])), false],
  [rowsOf(z.array(z.object({ name: z.string(), inner: k.listMap(row, ['name']) }))), false],
  [rowsOf(z.array(k.rule(z.object({ a: z.int() }), 'self.a > 1 && "oldSelf" != \'\''))), true],
  [rowsOf(z.array(k.rule(z.object({ oldSelf: z.int() }), 'self.oldSelf > 1'))), true],
  [
    rowsOf(
      z.array(k.rule(z.object({ a: z.int() }), 'oldSelf.orValue(self) == self', { optionalOldSelf: true })),
    ),
    false,
  ],
]

const sender = (cluster: ClusterUnderTest) => (method: string, path: string, body?: unknown) =>
  cluster.request({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : stringifyJson(body),
  })

async function evaluates(t: Test, cluster: ClusterUnderTest): Promise<void> {
  const send = sender(cluster)
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

async function agreesOnTransitions(t: Test, cluster: ClusterUnderTest): Promise<void> {
  for (const [schema, isAccepted] of transitions) {
    const converted = convertSchema(schema, { path: 'spec' })
    const shown = JSON.stringify(converted.schema)
    t.same(converted.problems.length, isAccepted ? 0 : 1, shown)
    const definition = structuredClone(crdOf(limits))
    const root = definition.spec.versions[0]?.schema?.openAPIV3Schema
    Object.assign(Object(root).properties, { spec: converted.schema })
    const { status, text } = await sender(cluster)('POST', `${definitions}?dryRun=All`, definition)
    t.equal(status, isAccepted ? 201 : 422, `${shown}: ${text.slice(0, 500)}`)
    if (!isAccepted) t.match(text, /oldSelf cannot be used on the uncorrelatable portion of the schema/)
  }
}

void t.test('the embedded API server accepts and evaluates published rules', async (t) => {
  const cluster = await embeddedCluster()
  t.teardown(() => cluster.close())
  await agreesOnTransitions(t, cluster)
  await evaluates(t, cluster)
})

const skip = missingAssets()

void t.test(
  'a real API server accepts and evaluates published rules',
  { skip, timeout: 600_000 },
  async (t) => {
    const real = await startRealCluster()
    t.teardown(() => real.stop())
    const { kubeconfig } = real
    const cluster = await httpsCluster({ name: 'real', kubeconfig, hasControllerManager: false })
    t.teardown(() => cluster.close())
    await agreesOnTransitions(t, cluster)
    await evaluates(t, cluster)
  },
)
