// The example operator as a process, on an embedded API server that listens.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { backups } from '../examples/memcached/backup.js'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { customResourceDefinitions, deployments, leases } from '../sdk/engine/kube/builtin.js'
import { crdOf } from '../sdk/operator/index.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { createApiServer } from '../testing/index.js'
import { startPlugin } from './plugin-process.js'

const main = 'examples/memcached/main.ts'
const key = { namespace: 'default', name: 'daily' }

async function cluster(t: Test): Promise<{ client: Client; env: Record<string, string> }> {
  const server = await createApiServer()
  t.teardown(() => server.close())
  await server.listen()
  const file = join(t.testdir(), 'kubeconfig')
  writeFileSync(file, await server.kubeconfig())
  const client = createClient({ transport: inProcessTransport(server) })
  await client.create(customResourceDefinitions, crdOf(backups))
  return { client, env: { KUBECONFIG: file } }
}

void t.test('an operator runs, answers probes, and frees its Lease at SIGTERM', async (t) => {
  const { client, env } = await cluster(t)
  const operator = startPlugin(main, env)
  t.teardown(() => operator.end('SIGKILL'))
  t.match(JSON.parse(await operator.line('the operator is running')), { controllers: [/./] })
  const { url } = JSON.parse(await operator.line('health and metrics are served'))
  t.equal((await fetch(`${url}/readyz`)).status, 200)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  t.match(metrics, 'leader_election_master_status{name="operator"} 1')
  t.notMatch(metrics, /plugin/)
  await client.create(backups, { metadata: key, spec: { size: 2 } })
  const made = () => client.get(deployments, key).catch(() => undefined)
  while (!(await made())) await new Promise((resolve) => setTimeout(resolve, 5))
  const lease = { namespace: 'default', name: 'memcached-operator' }
  t.ok((await client.get(leases, lease)).spec?.holderIdentity)
  t.equal(await operator.end(), 0)
  t.same(
    operator.lines.filter((line) => line.includes('plugin')),
    [],
    'an operator does not call itself a plugin',
  )
  t.equal((await client.get(leases, lease)).spec?.holderIdentity ?? '', '')
})

void t.test('an operator that was killed takes its Lease back as soon as it starts again', async (t) => {
  const { client, env } = await cluster(t)
  const lease = { namespace: 'default', name: 'memcached-operator' }
  const first = startPlugin(main, env)
  await first.line('the operator is running')
  const { spec: former } = await client.get(leases, lease)
  await first.end('SIGKILL')
  const second = startPlugin(main, env)
  t.teardown(() => second.end('SIGKILL'))
  t.match(JSON.parse(await second.line('which has ended: taking over')), { holder: former?.holderIdentity })
  await second.line('the operator is running')
  const { spec } = await client.get(leases, lease)
  t.same([spec?.leaseTransitions, spec?.holderIdentity === former?.holderIdentity], [1, false])
  t.equal(await second.end(), 0)
})

void t.test('an operator waits for its kind, and says why it is not at work', async (t) => {
  const { client, env } = await cluster(t)
  await client.delete(customResourceDefinitions, { namespace: '', name: 'memcachedbackups.cache.my.domain' })
  const operator = startPlugin(main, env)
  t.teardown(() => operator.end('SIGKILL'))
  await operator.line('memcachedbackups.cache.my.domain')
  const { url } = JSON.parse(await operator.line('health and metrics are served'))
  const waiting = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return /^watch_kind_waiting\{.*memcachedbackups.*\} 1$/m.test(metrics)
  }
  while (!(await waiting())) await new Promise((resolve) => setTimeout(resolve, 20))
  t.equal((await fetch(`${url}/readyz`)).status, 200)
  await client.create(customResourceDefinitions, crdOf(backups))
  await client.create(backups, { metadata: key, spec: { size: 1 } }).catch(() => undefined)
  const made = () => client.get(deployments, key).catch(() => undefined)
  while (!(await made())) {
    await client.create(backups, { metadata: key, spec: { size: 1 } }).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  t.notOk(await waiting())
  t.equal(await operator.end(), 0)
})

void t.test('an operator without a cluster ends with a sentence', async (t) => {
  const operator = startPlugin(main, { KUBECONFIG: join(t.testdir(), 'missing') })
  t.match(
    await operator.line('does not exist'),
    /^kubeconfig .*missing does not exist; check the path and KUBECONFIG\.$/,
  )
  t.equal(await operator.exited, 1)
  t.notOk(
    operator.lines.some((line) => /^ +at /.test(line)),
    'no stack trace',
  )
})
