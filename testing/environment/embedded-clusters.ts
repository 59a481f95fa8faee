import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { hasFileRequests } from './file-requests.js'
import type { Ground, SiteCluster } from './test-environment.js'

/** In process everything travels by promises and immediates, so a change under way shows within a few turns. */
const quietMoments = 25

/** A turn of the event loop; or more while a file is read, a definition for example, since that takes as long as it takes. */
async function moment(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve))
  while (hasFileRequests())
}

/** Embedded clusters in this process, new ones for each run, in virtual time. */
export const embeddedGround: Ground = {
  async open(clock) {
    const virtual = await createApiServer({ name: 'virtual', seed: 1, clock })
    const host = await createApiServer({ name: 'host', seed: 2, clock })
    return {
      clusters: { virtual: clusterOf(virtual), host: clusterOf(host) },
      moment,
      quietMoments,
      close: async () => {
        await Promise.all([virtual.close(), host.close()])
      },
    }
  },
}

function clusterOf(server: ApiServer): SiteCluster {
  return {
    connect: () => inProcessTransport(server),
    get pulse() {
      return server.resourceVersion
    },
    forget: () => server.compact(),
    server,
  }
}
