// A new server stores its own objects without the steps of a create; they are the same as created ones.
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { type ApiServer, createApiServer } from '../api-server.js'

const paths = [
  '/api/v1/namespaces/default/services/kubernetes',
  '/api/v1/namespaces/default/endpoints/kubernetes',
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
]

/** The text of an object, without what each object has of its own. */
async function textAt(server: ApiServer, path: string): Promise<string> {
  const { status, body } = await server.handle({ method: 'GET', path })
  t.equal(status, 200, path)
  const text = Buffer.from(body as Uint8Array).toString()
  return text.replace(/"(uid|resourceVersion)":"[^"]+"/g, '"$1":""')
}

void t.test('a new server has the objects that it creates after a client deleted them', async (t) => {
  const clock = { date: () => new Date(0), schedule: () => () => undefined }
  const server = await createApiServer({ clock })
  t.teardown(() => server.close())
  const first = await Promise.all(paths.map((path) => textAt(server, path)))
  for (const path of paths) t.equal((await server.handle({ method: 'DELETE', path })).status, 200)
  await setImmediate()
  t.same(await Promise.all(paths.map((path) => textAt(server, path))), first)
})
