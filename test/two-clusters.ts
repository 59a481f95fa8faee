import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { prepareHost } from '../simulator/prepare-host.js'
import { createApiServer } from '../testing/index.js'

/** Two clusters with listeners, and their kubeconfigs. */
export interface TwoClusters {
  readonly virtual: Client
  readonly host: Client
  readonly virtualKubeconfig: string
  readonly hostKubeconfig: string
  /** Writes both to a folder, as `virtual.kubeconfig` and `host.kubeconfig`, and returns their paths. */
  files(folder: string): { virtual: string; host: string }
}

/**
 * Starts a virtual and a host cluster, and creates the objects of the chart for the vcluster `vc` on the
 * host.
 */
export async function twoClusters(t: Test): Promise<TwoClusters> {
  const virtual = await createApiServer({ name: 'virtual' })
  const host = await createApiServer({ name: 'host' })
  t.teardown(() => Promise.all([virtual.close(), host.close()]))
  await Promise.all([virtual.listen(), host.listen()])
  const hostClient = createClient({ transport: inProcessTransport(host) })
  await prepareHost(hostClient, { vclusterName: 'vc', targetNamespace: 'vcluster-vc', hasService: true })
  const kubeconfigs = { virtual: await virtual.kubeconfig(), host: await host.kubeconfig() }
  return {
    virtual: createClient({ transport: inProcessTransport(virtual) }),
    host: hostClient,
    virtualKubeconfig: kubeconfigs.virtual,
    hostKubeconfig: kubeconfigs.host,
    files(folder) {
      const file = (side: 'virtual' | 'host') => join(folder, `${side}.kubeconfig`)
      for (const side of ['virtual', 'host'] as const) writeFileSync(file(side), kubeconfigs[side])
      return { virtual: file('virtual'), host: file('host') }
    },
  }
}
