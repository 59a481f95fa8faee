import t from 'tap'
import * as z from 'zod'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { until } from '../../test/until.js'
import { serveDefinitions } from './serve-definitions.js'

const definitionOf = (plural: string) =>
  crdOf(defineKind({ group: 'my.domain', version: 'v1', kind: 'Car', plural, spec: z.object({}) }))

void t.test('a definition with the names of another one is refused with these names', async (t) => {
  const client = createClient({ transport: inProcessTransport(await createApiServer()) })
  await t.rejects(serveDefinitions(client, [definitionOf('cars'), definitionOf('autos')]), {
    message: /^the definition autos\.my\.domain is not served: .*Car.*already in use.*; give each definition/,
  })
})

void t.test('a definition waits for the names of one that is being deleted', async () => {
  const client = createClient({ transport: inProcessTransport(await createApiServer()) })
  const old = definitionOf('autos')
  const metadata = { ...old.metadata, finalizers: ['test/held'] }
  await serveDefinitions(client, [{ ...old, metadata }])
  await client.delete(customResourceDefinitions, keyOf(old))
  const served = serveDefinitions(client, [definitionOf('cars')])
  const cars = keyOf(definitionOf('cars'))
  await until(async () => {
    const { status } = await client.get(customResourceDefinitions, cars)
    const conditions = status?.conditions ?? []
    return conditions.some(({ type, status }) => type === 'NamesAccepted' && status === 'False')
  })
  await client.patch(customResourceDefinitions, keyOf(old), {
    type: 'merge',
    body: { metadata: { finalizers: null } },
  })
  await served
})

void t.test('a definition that is not served in time fails with the last answer', async (t) => {
  const server = await createApiServer()
  const client = createClient({ transport: inProcessTransport(server) })
  server.faults.add({ resource: 'cars' }, { type: 'status', code: 500, message: 'out of order' })
  await t.rejects(serveDefinitions(client, [definitionOf('cars')], { limitMs: 0 }), {
    message: /^the definition cars\.my\.domain was created, but v1 is not served after 0 s: .*out of order/,
  })
})
