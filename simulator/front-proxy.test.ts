import t from 'tap'
import { createApiServer } from '../apiserver/api-server.js'
import { FrontProxy } from './front-proxy.js'
import { inProcessTransport } from './in-process-transport.js'

void t.test('limits and notices of a request count for interceptors, too', async (t) => {
  const proxy = new FrontProxy(inProcessTransport(await createApiServer()))
  proxy.putInFront({
    registrations: { echo: [{ verbs: ['get'], nonResourceURLs: ['/echo'] }] },
    handle: async () => new Response('x'.repeat(2000)),
  })
  const transport = proxy.transport()
  for (const path of ['/echo', '/api/v1/namespaces/default']) {
    let sent = 0
    const beforeSend = () => {
      sent++
    }
    t.equal((await transport.request({ method: 'GET', path, beforeSend })).status, 200)
    t.equal(sent, 1, path)
    await t.rejects(transport.request({ method: 'GET', path, maxBytes: 10 }), { name: 'AnswerTooLargeError' })
  }
})
