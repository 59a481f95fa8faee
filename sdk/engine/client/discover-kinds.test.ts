// Tests that discovery asks for an apiVersion and for nothing else: a template or a user may have written the text.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import type { Transport, TransportRequest } from '../transport/transport.js'
import { discoverKinds } from './discover-kinds.js'

const server = await createApiServer({ name: 'main' })
t.teardown(() => server.close())
const inner = inProcessTransport(server)
const asked: string[] = []
const transport = {
  request: (request: TransportRequest) => {
    asked.push(request.path)
    return inner.request(request)
  },
} as unknown as Transport

void t.test('an apiVersion is asked for', async (t) => {
  const kinds = (await discoverKinds(transport, 'apps/v1')).map(({ kind }) => kind)
  t.ok(kinds.includes('Deployment'))
  t.strictSame(await discoverKinds(transport, 'my-group.example.com/v1beta-2'), [], 'not served')
  t.strictSame(asked, ['/apis/apps/v1', '/apis/my-group.example.com/v1beta-2'])
})

void t.test('a text that would become another path is not asked for', async (t) => {
  asked.length = 0
  const paths = [
    ...[
      'apps/v1/deployments?watch=1&x=',
      'v1/secrets/a',
      'v1?watch=1',
      '../api/v1',
      'apps/../v1',
      'apps/..',
      '..',
    ],
    ...['', '/', 'apps/', '/v1', 'apps/v1#', 'apps/v1\n', 'a b/v1', 'Apps/v1', `${'a.'.repeat(127)}aa/v1`],
  ]
  for (const path of paths) t.strictSame(await discoverKinds(transport, path), [], path)
  t.strictSame(asked, [])
})
