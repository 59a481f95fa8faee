import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { createClient } from '../engine/client/create-client.js'
import { configMaps } from '../engine/kube/builtin.js'
import { silentLogger } from '../engine/observe/logger.js'
import { key } from './backups.fixture.js'
import { createInternalOperator } from './operator-runtime.js'

/** Repeats a call until it succeeds: the clusters of a replica that was just started are not open yet. */
async function until(call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await call()
      return
    } catch {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

void t.test(
  'a client outside of runs reads on every replica, and writes where the replica leads',
  async (t) => {
    const server = await createApiServer()
    const client = createClient({ transport: inProcessTransport(server) })
    const replica = () =>
      createInternalOperator({
        name: 'two',
        env: {},
        logger: silentLogger,
        leaseNamespace: 'default',
        openClusters: async () => ({ transports: new Map([['main', inProcessTransport(server)]]) }),
      })
    const [leader, standby] = [replica(), replica()]
    t.throws(() => leader.client(), { code: 'NOT_STARTED' })
    const ended = [leader.start()]
    await leader.whenRunning()
    ended.push(standby.start())
    const at = { ...key, name: 'by-hand' }
    await leader.client().create(configMaps, { metadata: at })
    const read = async () => standby.client('main').get(configMaps, at)
    await until(read)
    await t.rejects(standby.client().delete(configMaps, at), { code: 'NOT_LEADER' })
    t.throws(() => leader.client('other'), {
      code: 'UNKNOWN_CLUSTER',
      message: /operator\.client names the cluster "other"/,
    })
    t.ok(await client.get(configMaps, at))
    await Promise.all([leader.stop(), standby.stop()])
    await Promise.all(ended)
  },
)
