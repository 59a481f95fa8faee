// An API server with faults, and clients of it.
import type { Test } from 'tap'
import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { type Clock, systemClock } from '../../sdk/engine/time/clock.js'

export const configMapsPath = '/api/v1/namespaces/default/configmaps'
export const jsonType = { 'content-type': 'application/json' }
/** The user of requests without faults. The rules match `admin`. */
export const witness = { name: 'witness', groups: ['system:masters'] }

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn()
}

/** The system clock at twenty times its speed, so that backoffs and silences end soon. */
export const fastClock: Clock = {
  now: () => systemClock.now() * 20,
  date: () => new Date(),
  schedule: (delayMs, callback) => systemClock.schedule(delayMs / 20, callback),
}

export async function startServer(
  t: Test,
  options: Parameters<typeof createApiServer>[0] = {},
): Promise<ApiServer> {
  const server = await createApiServer({ clock: fastClock, ...options })
  t.teardown(() => server.close())
  return server
}

export async function write(server: ApiServer, method: string, name: string, value = ''): Promise<void> {
  const path = method === 'POST' ? configMapsPath : `${configMapsPath}/${name}`
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } }
  const answer = await server.handle({
    method,
    path,
    headers: jsonType,
    user: witness,
    ...(method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
  })
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}`)
}

/** Creates, updates and deletes objects. */
export async function makeChanges(server: ApiServer): Promise<void> {
  await write(server, 'POST', 'a', '1')
  await write(server, 'POST', 'b', '1')
  await turn()
  await write(server, 'PUT', 'a', '2')
  await write(server, 'DELETE', 'b')
  await write(server, 'POST', 'c', '1')
  await write(server, 'PUT', 'c', '2')
}

export async function listed(server: ApiServer): Promise<KubeObject[]> {
  const { body } = await server.handle({ method: 'GET', path: '/api/v1/configmaps', user: witness })
  return (parseJson(body as Uint8Array) as { items: KubeObject[] }).items
}
