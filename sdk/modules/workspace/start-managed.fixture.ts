// An operator with managed Workspaces, for tests. One embedded server is the inside of every vcluster.
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { createClient } from '../../engine/client/create-client.js'
import { startTimed } from '../module/modules.fixture.js'
import { managed, playVclusters } from './managed.fixture.js'

/** Kubeconfigs may lead to loopback, where the server inside listens. */
export const kubeconfigs = { networks: ['127.0.0.0/8', '::1/128'] }

/** Options with the chart that looks like vcluster's. */
export const managedOptions = { modules: { managed, kubeconfigs } }

/** An operator, and a server that serves every vcluster. */
export async function startManaged(
  t: Parameters<typeof startTimed>[0],
  more: Parameters<typeof startTimed>[1] = {},
) {
  const virtual = await createApiServer({ name: 'virtual' })
  await virtual.listen()
  t.teardown(() => virtual.close())
  const kubeconfig = await virtual.kubeconfig()
  const test = await startTimed(t, { ...managedOptions, ...more })
  const turn = async () => {
    for (let at = 0; at < 4; at++) {
      await test.pass(0)
      await playVclusters(test, kubeconfig)
    }
    await test.pass(0)
  }
  return { ...test, turn, kubeconfig, inside: createClient({ transport: inProcessTransport(virtual) }) }
}
