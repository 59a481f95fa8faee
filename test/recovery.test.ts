// Tests the example in its own process between embedded clusters with failures.
import t from 'tap'
import { configMaps, events, leases, namespaces } from '../sdk/engine/kube/builtin.js'
import { freePort } from '../simulator/free-ports.js'
import type { PluginProcess } from './plugin-process.js'
import {
  copy,
  dataOf,
  merge,
  openRecoveryEnvironment,
  original,
  roles,
  rules,
  target,
} from './recovery-environment.js'
import { startBreakingProxy } from './soak/breaking-proxy.js'
import { until } from './until.js'

// Each test has its own clusters and programs, which mostly wait for one another.
t.jobs = 3

void t.test(
  'the plugin recovers completely after its permissions are revoked and granted again',
  async (t) => {
    const { host, hostServer, virtual, start, bind, write } = await openRecoveryEnvironment(t)
    await bind('plugin')
    const port = Number(new URL(hostServer.url).port)
    const proxy = await startBreakingProxy(port)
    t.teardown(() => proxy.close())
    const via = (kubeconfig: string) => kubeconfig.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${proxy.port}`)
    const plugin = await start('plugin', {}, via)
    await plugin.line('the plugin is running')
    await write('before')
    await until(async () => (await dataOf(host, 'before')) !== undefined)

    const sinceMs = performance.now()
    await host.patch(roles, { namespace: target, name: 'plugin' }, merge({ rules: rules.slice(1) }))
    // Rejections of two objects open the circuit of creates.
    for (let i = 0; i < 2; i++) await write(`during-${i}`)
    await plugin.line('refuses all writes of this sort')
    for (let i = 2; i < 20; i++) await write(`during-${i}`)
    await virtual.patch(configMaps, original('before'), merge({ data: { name: 'changed' } }))
    const told = async () => (await virtual.listAll(events, { namespace: 'default' })).items
    const isToldOfCreates = async () =>
      (await told()).some(({ message }) => message?.includes('cannot create resource'))
    await until(isToldOfCreates)
    proxy.reset()
    await plugin.line('"reason":"refused"')
    // The reset connections cause Events, too, for writes that were in progress.
    const refused = async () => {
      const refusals = (await told()).filter(({ message }) => message?.includes('is forbidden'))
      return new Set(refusals.map(({ involvedObject }) => involvedObject.name))
    }
    // Updates have their own circuit, which one object does not open.
    await until(async () => (await refused()).has('before'))
    const creates = (await refused()).size - 1
    // While the circuit is open, one create is tried after 1, 2, 4 s and so on, each for another object.
    const tried = Math.floor(Math.log2(1 + (performance.now() - sinceMs) / 1000))
    t.ok(creates <= 2 + tried, `${creates} of 20 creates were sent, at most 2 + ${tried}`)

    await host.patch(roles, { namespace: target, name: 'plugin' }, merge({ rules }))
    await until(async () => (await dataOf(host, 'before'))?.name === 'changed')
    for (let i = 0; i < 20; i++) await until(async () => (await dataOf(host, `during-${i}`)) !== undefined)
    await plugin.line('watching again')
    await host.patch(configMaps, copy('before'), merge({ data: { name: 'edited by hand' } }))
    await until(async () => (await dataOf(host, 'before'))?.name === 'changed')
    t.equal(plugin.child.exitCode, null, 'it is the same process throughout')
  },
)

void t.test('a plugin without its permissions names them and exits', async (t) => {
  const { start } = await openRecoveryEnvironment(t)
  const plugin = await start('nobody')
  const line = await plugin.line('may not create')
  t.match(
    line,
    'may not create, delete, get, list, update, watch configmaps in namespace vc-host of the host cluster',
  )
  t.match(line, 'Add to its Role there')
  t.equal(await plugin.exited, 1)
})

void t.test('the copies follow a cluster that is restored from a backup', async (t) => {
  const { host, virtual, virtualServer, hostServer, start, bind, write } = await openRecoveryEnvironment(t)
  await bind('plugin')
  const plugin = await start('plugin')
  await plugin.line('the plugin is running')
  for (const name of ['stays', 'changes', 'goes']) await write(name)
  await until(async () => (await dataOf(host, 'goes')) !== undefined)

  const backups = { virtual: virtualServer.snapshot(), host: hostServer.snapshot() }
  await virtual.patch(configMaps, original('changes'), merge({ data: { name: 'later' } }))
  await virtual.delete(configMaps, original('goes'))
  await write('comes')
  await until(async () => (await dataOf(host, 'comes')) !== undefined && !(await dataOf(host, 'goes')))

  virtualServer.restore(backups.virtual)
  await plugin.line('restored from a backup')
  await until(async () => (await dataOf(host, 'goes')) !== undefined)
  t.same(await dataOf(host, 'changes'), { name: 'changes' })
  await until(async () => (await dataOf(host, 'comes')) === undefined)

  await write('after')
  await until(async () => (await dataOf(host, 'after')) !== undefined)
  hostServer.restore(backups.host)
  await until(async () => (await dataOf(host, 'after')) !== undefined)
  t.same(await dataOf(host, 'stays'), { name: 'stays' })
  t.equal(plugin.child.exitCode, null)
})

void t.test('the plugin catches up when an API server is back', async (t) => {
  const { host, virtualServer, hostServer, start, bind, write } = await openRecoveryEnvironment(t)
  await bind('plugin')
  const ports = [virtualServer, hostServer].map(({ url }) => Number(new URL(url).port))
  const proxies = await Promise.all(ports.map(async (port) => startBreakingProxy(port, await freePort())))
  t.teardown(() => Promise.all(proxies.map((proxy) => proxy.close())))
  const via = (kubeconfig: string) =>
    ports.reduce(
      (text, port, i) => text.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${proxies[i]?.port}`),
      kubeconfig,
    )
  const plugin = await start('plugin', {}, via)
  await plugin.line('the plugin is running')
  await write('before')
  await until(async () => (await dataOf(host, 'before')) !== undefined)
  for (const [i, port] of ports.entries()) {
    const taken = proxies[i]?.port
    await proxies[i]?.close()
    await write(`while-${i}`)
    await plugin.line('the cluster does not answer; trying again until it does')
    proxies[i] = await startBreakingProxy(port, taken)
    await until(async () => (await dataOf(host, `while-${i}`)) !== undefined)
  }
  t.same(await dataOf(host, 'before'), { name: 'before' })
  t.equal(plugin.child.exitCode, null, 'it is the same process throughout')
})

void t.test('a process that was suspended past its Lease writes nothing when it continues', async (t) => {
  const { host, hostServer, start, bind, write } = await openRecoveryEnvironment(t)
  await Promise.all([bind('first'), bind('second')])
  // A rule without an effect counts the requests.
  const writes = hostServer.faults.add(
    { user: 'first', resource: /configmaps|leases/, verb: /create|update|patch|delete/ },
    { type: 'delay', delayMs: 0 },
    { probability: 0 },
  )
  const first = await start('first')
  await first.line('the plugin is running')
  const second = await start('second')
  await second.line('standing by')
  await write('before')
  await until(async () => (await dataOf(host, 'before')) !== undefined)

  first.child.kill('SIGSTOP')
  await second.line('the plugin is running')
  const before = writes.matches
  // The first process receives these events as soon as it continues, before any of its timers could fire.
  for (let i = 0; i < 50; i++) await write(`during-${i}`)
  for (let i = 0; i < 50; i++) await until(async () => (await dataOf(host, `during-${i}`)) !== undefined)
  for (let i = 0; i < 50; i++) await host.delete(configMaps, copy(`during-${i}`))
  first.child.kill('SIGCONT')
  await first.line('leadership was lost')
  await until(async () => first.child.exitCode !== null)
  t.equal(writes.matches, before, 'no write was sent')
  for (let i = 0; i < 50; i++) await until(async () => (await dataOf(host, `during-${i}`)) !== undefined)
  const { spec } = await host.get(leases, { namespace: target, name: 'vc-plugin-sync-all-configmaps' })
  t.match(spec?.holderIdentity, /./, 'the second one still holds the Lease')
})

void t.test('replicas share the work, and take over from a dead and a suspended one', async (t) => {
  const { host, virtual, hostServer, start, bind } = await openRecoveryEnvironment(t)
  const users = ['first', 'second', 'third'] as const
  await Promise.all(users.map(bind))
  const counting = (verb: RegExp) => (user: string) =>
    hostServer.faults.add(
      { user, resource: /configmaps/, verb },
      { type: 'delay', delayMs: 0 },
      { probability: 0 },
    )
  const writes = users.map(counting(/create|update|patch|delete/))
  const creates = users.map(counting(/create/))
  const sum = (counts: { matches: number }[]) => counts.reduce((all, { matches }) => all + matches, 0)

  const tenants = Array.from({ length: 12 }, (_, i) => `tenant-${i}`)
  const copyIn = (tenant: string, name: string) => ({ namespace: target, name: `${name}-x-${tenant}-x-vc` })
  const write = (name: string) =>
    Promise.all(
      tenants.map((namespace) =>
        virtual.create(configMaps, { metadata: { namespace, name }, data: { name } }),
      ),
    )
  const copied = (name: string) =>
    until(async () => {
      const { items } = await host.listAll(configMaps, { namespace: target })
      const names = new Set(items.map(({ metadata }) => metadata.name))
      return tenants.every((tenant) => names.has(copyIn(tenant, name).name))
    })
  const holders = async () => {
    const { items } = await host.listAll(leases, {
      namespace: target,
      labelSelector: 'plugin.vcluster.loft.sh/lease-role=shard',
    })
    return items.map(({ spec }) => spec?.holderIdentity ?? '')
  }

  for (const name of tenants) await virtual.create(namespaces, { metadata: { name } })
  // Started one after the other: on a busy machine, three at a time may take longer than a Lease lasts.
  const plugins: PluginProcess[] = []
  for (const user of users) {
    const plugin = await start(user, { PLUGIN_SHARDS: '3' })
    await plugin.line('the plugin is running')
    plugins.push(plugin)
  }
  const [first, second, third] = plugins
  await until(async () => new Set((await holders()).filter((holder) => holder !== '')).size === 3)
  await write('shared')
  await copied('shared')
  t.ok(
    creates.every(({ matches }) => matches > 0),
    'each has done its part',
  )
  t.equal(sum(creates), (await virtual.listAll(configMaps)).items.length, 'and none the part of another')

  second?.child.kill('SIGKILL')
  first?.child.kill('SIGSTOP')
  await write('during')
  await copied('during')
  await until(async () => new Set(await holders()).size === 1, { what: 'the third has all shards' })
  const [before] = writes.map(({ matches }) => matches)
  // The first process receives these events as soon as it continues, before any of its timers could fire.
  for (const tenant of tenants) await host.delete(configMaps, copyIn(tenant, 'shared'))
  await copied('shared')
  first?.child.kill('SIGCONT')
  await first?.line('leadership was lost')
  await until(async () => first?.child.exitCode !== null)
  t.equal(writes[0]?.matches, before, 'the suspended one sent no write for any of its shards')
  t.equal(sum(creates), (await virtual.listAll(configMaps)).items.length + tenants.length)
  t.equal(await third?.end(), 0)
  await until(async () => String(await holders()) === ',,', { what: 'a stop releases every shard' })
})
