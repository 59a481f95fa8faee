// Each construct of a kind's schemas means the same to zod, to the embedded API server and to a real one.
import t, { type Test } from 'tap'
import { convertSchema } from '../../sdk/operator/kind/schema/convert.js'
import type { ClusterUnderTest } from '../conformance/cluster-under-test.js'
import { embeddedCluster } from '../conformance/embedded-cluster.js'
import { httpsCluster } from '../conformance/https-cluster.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { rows } from './rows.js'
import { type FieldKind, fieldKind } from './try-values.js'

void t.test('every construct becomes the schema of the table', async (t) => {
  for (const [name, { schema, node }] of Object.entries(rows)) {
    const { problems, schema: converted } = convertSchema(schema, { path: 'spec' })
    t.same(problems, [], name)
    t.same(converted, node, name)
  }
})

void t.test('zod accepts and refuses what the table says', async (t) => {
  for (const [name, { schema, accepts, refuses }] of Object.entries(rows)) {
    for (const value of accepts) t.ok(schema.safeParse(value).success, `${name} accepts ${show(value)}`)
    for (const value of refuses) t.notOk(schema.safeParse(value).success, `${name} refuses ${show(value)}`)
  }
})

void t.test('the embedded API server agrees', async (t) => {
  const cluster = await embeddedCluster()
  t.teardown(() => cluster.close())
  await agrees(t, cluster)
})

const skip = missingAssets()

void t.test('a real API server agrees', { skip, timeout: 600_000 }, async (t) => {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  const { kubeconfig } = real
  const cluster = await httpsCluster({ name: 'real', kubeconfig, hasControllerManager: false })
  t.teardown(() => cluster.close())
  await agrees(t, cluster)
})

async function agrees(t: Test, cluster: ClusterUnderTest): Promise<void> {
  const schemas = Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema]))
  const kind = await fieldKind(cluster, 'rows.example.com', schemas)
  for (const [name, { schema, accepts, refuses }] of Object.entries(rows)) {
    for (const value of accepts) {
      const { status, text, body } = await kind.send(name, value)
      t.equal(status, 201, `${name} accepts ${show(value)}: ${text.slice(0, 300)}`)
      t.same(Object(body.spec)[name], schema.parse(value), `${name} stores ${show(value)} as zod hands it on`)
    }
    for (const value of refuses) {
      const { status, text } = await kind.send(name, value)
      t.equal(status, 422, `${name} refuses ${show(value)}: ${text.slice(0, 300)}`)
      t.match(text, name, `${name} is named`)
    }
  }
  await saysWhy(t, kind)
}

/** Wrong variants are refused with a message that names the field. */
async function saysWhy(t: Test, kind: FieldKind): Promise<void> {
  for (const [name, { messages = [] }] of Object.entries(rows))
    for (const { value, field, message } of messages) {
      const { status, body } = await kind.send(name, value)
      const { causes } = (body as { details?: { causes?: object[] } }).details ?? {}
      t.equal(status, 422)
      t.match(causes, [{ field: `spec.${field}`, message }], `${name} ${show(value)}`)
    }
}

const show = (value: unknown) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))
