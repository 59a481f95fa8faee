// Tests generated names that are taken. With a seed, a server generates the same names each time.
import t, { type Test } from 'tap'
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { createApiServer } from '../api-server.js'

/** A server with the same identities each time, and creates of ConfigMaps there. */
async function opened(t: Test) {
  const server = await createApiServer({ seed: 7, controllers: false })
  t.teardown(() => server.close())
  return async (metadata: object) => {
    const { status, body, headers } = await server.handle({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata }),
    })
    return { status, headers, object: parseJson(body as Uint8Array) as KubeObject }
  }
}

/** The names that the server generates one after another, without the identifiers of the objects between. */
async function nextNames(t: Test, count: number): Promise<string[]> {
  const names: string[] = []
  while (names.length < count) {
    const create = await opened(t)
    // The names so far are taken, so the next try is the one that is new.
    for (let at = 0; at < count; at++) await create({ name: names[at] ?? `filler-${at}` })
    const { object } = await create({ generateName: 'made-' })
    names.push(object.metadata.name ?? '')
  }
  return names
}

void t.test('a generated name that is taken is generated again, up to eight times', async (t) => {
  const names = await nextNames(t, 8)
  t.equal(new Set(names).size, 8, 'each try has another name')
  const create = await opened(t)
  for (const name of names) t.equal((await create({ name })).status, 201)
  const last = names.at(-1)
  t.match(await create({ generateName: 'made-' }), {
    status: 409,
    headers: { 'retry-after': '1' },
    object: {
      reason: 'AlreadyExists',
      message: `configmaps "${last}" already exists, the server was not able to generate a unique name for the object`,
      details: { name: last, kind: 'configmaps', retryAfterSeconds: 1 },
    },
  })
})
