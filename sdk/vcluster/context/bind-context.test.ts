import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { createClient } from '../../engine/client/create-client.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { bindContext } from './bind-context.js'
import type { RegisterContext } from './register-context.js'

const greeting = { metadata: { namespace: 'default', name: 'greeting' } }

/** A context whose two clusters are one embedded server. */
async function contextOf(clock: VirtualClock): Promise<RegisterContext> {
  const client = createClient({ transport: inProcessTransport(await createApiServer()) })
  const cluster = (name: string) => ({ name, client, namespace: undefined }) as unknown as Cluster
  return { clock, virtual: cluster('virtual'), host: cluster('host') } as unknown as RegisterContext
}

void t.test('a bound context writes to neither cluster after its deadline, and still reads', async (t) => {
  const clock = new VirtualClock()
  const ctx = await contextOf(clock)
  const bound = bindContext(ctx, { deadline: () => 1000 })
  await bound.host.client.create(configMaps, greeting)
  await clock.advance(1000)
  for (const cluster of [bound.virtual, bound.host]) {
    await t.rejects(cluster.client.update(configMaps, greeting), { code: 'NOT_LEADER' }, cluster.name)
    t.match(await cluster.client.get(configMaps, { namespace: 'default', name: 'greeting' }), greeting)
  }
  await ctx.host.client.delete(configMaps, { namespace: 'default', name: 'greeting' })
})

void t.test('calls of a bound context end with its signal, those of another go on', async (t) => {
  const ctx = await contextOf(new VirtualClock())
  const ended = new AbortController()
  const [bound, other] = [bindContext(ctx, { signal: ended.signal }), bindContext(ctx, {})]
  ended.abort(new Error('the run ends'))
  await t.rejects(bound.host.client.create(configMaps, greeting), /the run ends/)
  await other.host.client.create(configMaps, greeting)
  t.equal(bound.clock, ctx.clock, 'the rest of the context is shared')
})
