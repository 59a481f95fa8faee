// API servers behind sockets act as the existing clusters.
import { writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { VirtualClock } from '../clock/virtual-clock.js'
import { realClusters } from './real-clusters.js'

const path = '/api/v1/namespaces/default/configmaps'
const headers = { 'content-type': 'application/json' }

async function openClusters(t: Test) {
  const dir = t.testdir({})
  const server = await createApiServer()
  t.teardown(() => server.close())
  await server.listen()
  const kubeconfig = `${dir}/kubeconfig`
  await writeFile(kubeconfig, await server.kubeconfig())
  const environment = realClusters({ virtual: kubeconfig, host: kubeconfig })
  const clusters = await environment.open(new VirtualClock())
  return { environment, server, clusters, transport: clusters.host.connect() }
}

void t.test('a tick lasts until a slow cluster has answered', async (t) => {
  const { server, clusters, transport } = await openClusters(t)
  t.teardown(() => clusters.close())
  server.faults.add({ verb: 'list' }, { type: 'delay', delayMs: 500 })
  let isAnswered = false
  const answered = transport.request({ method: 'GET', path }).then(() => {
    isAnswered = true
  })
  await clusters.tick()
  t.equal(isAnswered, true)
  await answered
})

void t.test('objects that a run created are deleted after it, and no others', async (t) => {
  const { server, clusters, transport } = await openClusters(t)
  const create = (name: string, finalizers: string[] = []) =>
    JSON.stringify({ metadata: { name, finalizers } })
  await server.handle({ method: 'POST', path, headers, body: create('before') })
  await transport.request({ method: 'POST', path, headers, body: create('of-the-run', ['example.com/keep']) })
  await clusters.close()
  const statusOf = async (name: string) =>
    (await server.handle({ method: 'GET', path: `${path}/${name}` })).status
  t.equal(await statusOf('of-the-run'), 404)
  t.equal(await statusOf('before'), 200)
})

void t.test('a namespace that a run created can be created by the next run, as a new one', async (t) => {
  const { environment, server, clusters } = await openClusters(t)
  const path = '/api/v1/namespaces'
  const createIn = async ({ host }: typeof clusters, name: string, labels = {}) => {
    const body = JSON.stringify({ metadata: { name, labels } })
    return (await host.connect().request({ method: 'POST', path, headers, body })).status
  }
  t.equal(await createIn(clusters, 'team', { run: 'first' }), 201)
  await clusters.close()
  const next = await environment.open(new VirtualClock())
  t.teardown(() => next.close())
  t.equal(await createIn(next, 'default'), 409)
  const ofUser = { method: 'POST', path, headers, body: JSON.stringify({ metadata: { name: 'users' } }) }
  t.equal((await server.handle(ofUser)).status, 201)
  t.equal(await createIn(next, 'users', { next: 'yes' }), 409, 'what others created is not touched')
  t.equal(await createIn(next, 'team', { next: 'yes' }), 201)
  t.equal(await createIn(next, 'team'), 409)
  const { body } = await server.handle({ method: 'GET', path: `${path}/team` })
  const { labels } = JSON.parse(String(body)).metadata
  t.strictSame(labels, { 'kubernetes.io/metadata.name': 'team', next: 'yes' })
})

void t.test('an object that cannot be deleted is named, and all others are deleted', async (t) => {
  const { server, clusters, transport } = await openClusters(t)
  for (const from of [clusters.host.connect(), clusters.virtual.connect()])
    for (const generateName of ['kept-', 'gone-'])
      await from.request({
        method: 'POST',
        path,
        headers,
        body: JSON.stringify({ metadata: { generateName } }),
      })
  server.faults.add({ verb: 'patch', name: /^kept-/ }, { type: 'reset', when: 'before' })
  server.faults.add({ verb: 'delete', name: /^kept-/ }, { type: 'status', code: 403 })
  await t.rejects(clusters.close(), { message: /before the next run.*\n {2}\/api\/v1\S+\/configmaps\/kept-/ })
  const { body } = await server.handle({ method: 'GET', path })
  const names: string[] = JSON.parse(String(body)).items.map(({ metadata }: KubeObject) => metadata.name)
  t.strictSame(
    names.filter((name) => name.startsWith('gone-')),
    [],
  )
  await t.rejects(transport.request({ method: 'GET', path }), 'the connections are closed')
})

void t.test('what cannot be deleted at first is deleted after the others', async (t) => {
  const { server, clusters, transport } = await openClusters(t)
  await transport.request({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify({ metadata: { name: 'a' } }),
  })
  server.faults.add({ verb: 'delete' }, { type: 'status', code: 403 }, { times: 1 })
  await t.resolves(clusters.close())
  t.equal((await server.handle({ method: 'GET', path: `${path}/a` })).status, 404)
})
