// A status may have required fields: they have the values that they would have in Go until a run sets them.
import t from 'tap'
import * as z from 'zod'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { serveDefinitions } from '../../../testing/operator/serve-definitions.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { createClient } from '../../engine/client/create-client.js'
import { PermanentError } from '../../engine/kube/error.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { createOperator } from '../create-operator.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'

const routes = defineKind({
  group: 'routes.example.com',
  version: 'v1',
  kind: 'Route',
  spec: z.object({ host: z.string().min(3), fails: z.boolean().optional() }),
  status: z.object({
    parents: z.array(z.object({ name: z.string() })),
    replicas: z.int(),
    address: z.string(),
    node: z.string().optional(),
  }),
  conditions: ['Ready'],
})
const key = { namespace: 'default', name: 'web' }
const route = (spec: { host: string; fails?: boolean }) => ({ metadata: key, spec })

void t.test('required fields of a status are part of its first write, whatever that reports', async (t) => {
  t.same(routes.initialStatus, { parents: [], replicas: 0, address: '' })
  const server = await createApiServer()
  const client = createClient({ transport: inProcessTransport(server) })
  await serveDefinitions(client, [crdOf(routes)])
  const seen: unknown[] = []
  const test = await testOperator(
    (operator) =>
      operator.register(
        controller(routes, {
          reconcile(ctx, { spec }) {
            seen.push({ ...ctx.status })
            if (spec.fails) throw new PermanentError('the host is taken')
            ctx.status.replicas = 2
            ctx.condition('Ready', true, 'Routed')
          },
        }),
      ),
    { servers: { main: server }, logger: silentLogger },
  )
  t.teardown(() => test.stop())
  await client.create(routes, route({ host: 'a.example.com' }))
  await test.settled()
  t.same(seen[0], { parents: [], replicas: 0, address: '' })
  const read = async () => (await client.get(routes, key)).status
  t.match(await read(), {
    parents: [],
    replicas: 2,
    address: '',
    conditions: [{ type: 'Ready', status: 'True' }],
  })

  await client.delete(routes, key)
  await client.create(routes, route({ host: 'a.example.com', fails: true }))
  await test.settled()
  const failed = await read()
  t.match(failed, { parents: [], replicas: 0, address: '' })
  t.ok(failed?.conditions?.some(({ type, status }) => type === 'Stalled' && status === 'True'))
})

void t.test('controllers cannot share a kind whose status requires fields', async (t) => {
  const shared = (name: string, statusFields: readonly ('parents' | 'replicas' | 'address')[]) =>
    controller(routes, { name, shared: true, statusFields, conditions: [], reconcile: () => {} })
  const operator = createOperator({ name: 'shared' })
  t.throws(() => operator.register(shared('one', ['parents'])), {
    code: 'INVALID_REGISTRATION',
    message: /^controller one shares .* whose status requires replicas, address: /,
  })
  const all = ['parents', 'replicas', 'address'] as const
  operator.register(shared('one', all))
  t.throws(() => operator.register(shared('two', all)), {
    code: 'INVALID_REGISTRATION',
    message: /^controllers one and two .* whose status requires parents, replicas, address: one alone/,
  })
})
