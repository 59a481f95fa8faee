// A proxy between the plugin and the host answers writes with 200 and unrelated bodies.
import t from 'tap'
import { createApiServer } from '../apiserver/api-server.js'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import type { Transport } from '../sdk/engine/transport/transport.js'
import { hostName } from '../sdk/vcluster/naming/names.js'
import { mirrorDown } from '../sdk/vcluster/syncer/translator/mirror.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { type AttackEnvironment, found, openVCluster } from './attacks/attacked-vcluster.js'
import { until } from './until.js'

const answers = ['{}', 'null', '', '<html>please log in</html>', '{"kind":"Status","status":"Failure"}']

/** While the proxy is broken, writes are dropped, and each is answered with 200 and another invalid body. */
function breaking(transport: Transport, state: { isBroken: boolean; answered: number }): Transport {
  return {
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
    request: async (request) => {
      if (!state.isBroken || request.method === 'GET') return transport.request(request)
      const text = answers[state.answered++ % answers.length] ?? ''
      return { status: 200, headers: { 'content-type': 'text/html' }, body: new TextEncoder().encode(text) }
    },
  }
}

const notFound = [
  '404 page not found',
  '{}',
  '{"kind":"Status","apiVersion":"v1","status":"Failure","code":404}',
]

/** While the proxy is broken, it answers 404 to every call, and watches go on. */
function losing(transport: Transport, state: { isBroken: boolean; answered: number }): Transport {
  return {
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
    request: async (request) => {
      if (!state.isBroken) return transport.request(request)
      const text = notFound[state.answered++ % notFound.length] ?? ''
      return { status: 404, headers: {}, body: new TextEncoder().encode(text) }
    },
  }
}

void t.test('copies of deleted originals go although a proxy answered 404 to everything', async (t) => {
  const [virtual, host] = [
    await createApiServer({ name: 'virtual' }),
    await createApiServer({ name: 'host' }),
  ]
  const states = {
    virtual: { isBroken: false, answered: 0 },
    host: { isBroken: false, answered: 0 },
  }
  let connections = 0
  const environment: AttackEnvironment = {
    name: 'embedded',
    connect: async () => {
      const [toVirtual, toHost] = [inProcessTransport(virtual), inProcessTransport(host)]
      const isPlugin = connections++ > 0
      return isPlugin
        ? { virtual: losing(toVirtual, states.virtual), host: losing(toHost, states.host) }
        : { virtual: toVirtual, host: toHost }
    },
    fillQuota: () => Promise.reject(new Error('this test needs no quota')),
    close: async () => {
      await virtual.close()
      await host.close()
    },
  }
  t.teardown(() => environment.close())
  const vcluster = await openVCluster(t, {
    environment,
    register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
    leftovers: [configMaps],
  })
  const at = (name: string) => ({ namespace: vcluster.home, name })
  const copyOf = (name: string) =>
    found(vcluster.host, { namespace: vcluster.target, name: hostName(name, vcluster.home, 'vc') })
  const names = Array.from({ length: 5 }, (_, i) => `goes-${i}`)
  for (const name of names) await vcluster.virtual.create(configMaps, { metadata: at(name) })
  await vcluster.settled()
  for (const state of Object.values(states)) state.isBroken = true
  for (const name of names) await vcluster.virtual.delete(configMaps, at(name))
  await vcluster.virtual.create(configMaps, { metadata: at('comes') })
  // The create is tried once a second.
  await until(async () => states.host.answered >= names.length + 4)
  for (const state of Object.values(states)) state.isBroken = false
  for (const name of names) await until(async () => (await copyOf(name)) === undefined)
  await until(async () => (await copyOf('comes')) !== undefined)
})

void t.test('writes that a broken proxy answers with 200 are repeated when it is repaired', async (t) => {
  const [virtual, host] = [
    await createApiServer({ name: 'virtual' }),
    await createApiServer({ name: 'host' }),
  ]
  const state = { isBroken: false, answered: 0 }
  let connections = 0
  const environment: AttackEnvironment = {
    name: 'embedded',
    // The first connection is of the administrator, the second of the plugin.
    connect: async () => {
      const transport = inProcessTransport(host)
      return {
        virtual: inProcessTransport(virtual),
        host: connections++ === 0 ? transport : breaking(transport, state),
      }
    },
    fillQuota: () => Promise.reject(new Error('this test needs no quota')),
    close: async () => {
      await virtual.close()
      await host.close()
    },
  }
  t.teardown(() => environment.close())
  const vcluster = await openVCluster(t, {
    environment,
    register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
    leftovers: [configMaps],
  })
  const names = Array.from({ length: 11 }, (_, i) => `cm-${i}`)
  const at = (name: string) => ({ namespace: vcluster.home, name })
  const copyOf = (name: string) =>
    found(vcluster.host, { namespace: vcluster.target, name: hostName(name, vcluster.home, 'vc') })
  const write = (name: string, text: string) =>
    vcluster.virtual.create(configMaps, { metadata: at(name), data: { text } })
  for (const name of [...names, 'goes']) await write(name, 'first')
  await vcluster.settled()

  state.isBroken = true
  for (const name of names)
    await vcluster.virtual.patch(configMaps, at(name), { type: 'merge', body: { data: { text: 'second' } } })
  await vcluster.virtual.delete(configMaps, at('goes'))
  await write('comes', 'second')
  await until(async () => state.answered >= 26)
  t.equal((await copyOf('cm-0'))?.data?.text, 'first')
  state.isBroken = false
  for (const name of [...names, 'comes'])
    await until(async () => (await copyOf(name))?.data?.text === 'second')
  await until(async () => (await copyOf('goes')) === undefined)
  t.match(await vcluster.said(), 'which is not a JSON object')
  t.notMatch(await vcluster.said(), 'please log in')
})
