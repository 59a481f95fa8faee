import t from 'tap'
import * as z from 'zod'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { serveDefinitions } from './serve-definitions.js'

const definitionOf = (plural: string) =>
  crdOf(defineKind({ group: 'my.domain', version: 'v1', kind: 'Car', plural, spec: z.object({}) }))

void t.test('a definition with the names of another one is refused with these names', async (t) => {
  const client = createClient({ transport: inProcessTransport(await createApiServer()) })
  await t.rejects(serveDefinitions(client, [definitionOf('cars'), definitionOf('autos')]), {
    message: /^the definition autos\.my\.domain is not served: .*Car.*already in use.*; give each definition/,
  })
})

void t.test('a definition that is not served in time fails with the last answer', async (t) => {
  const server = await createApiServer()
  const client = createClient({ transport: inProcessTransport(server) })
  server.faults.add({ resource: 'cars' }, { type: 'status', code: 500, message: 'out of order' })
  await t.rejects(serveDefinitions(client, [definitionOf('cars')], { limitMs: 0 }), {
    message: /^the definition cars\.my\.domain was created, but v1 is not served after 0 s: .*out of order/,
  })
})
