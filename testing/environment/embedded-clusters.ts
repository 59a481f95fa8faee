import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { RealTimeWork } from './real-time-work.js'
import type { TestCluster, TestEnvironment } from './test-environment.js'

/**
 * In one process, requests and events travel by promises and immediates. A pending change therefore shows within a few
 * turns of the event loop.
 */
const quietTicks = 25

/** Two embedded clusters in this process, new for each run, in virtual time. */
export const embeddedClusters: TestEnvironment = {
  async open(clock) {
    const virtual = await createApiServer({ name: 'virtual', seed: 1, clock })
    const host = await createApiServer({ name: 'host', seed: 2, clock })
    const work = new RealTimeWork()
    return {
      virtual: embeddedCluster(virtual),
      host: embeddedCluster(host),
      // One turn of the event loop, or more while a file is read or a module is imported, which take real time.
      tick: async () => {
        do await new Promise((resolve) => setImmediate(resolve))
        while (work.isPending())
      },
      quietTicks,
      close: async () => {
        await Promise.all([virtual.close(), host.close()])
      },
    }
  },
}

function embeddedCluster(server: ApiServer): TestCluster {
  return {
    connect: () => inProcessTransport(server),
    get revision() {
      return server.resourceVersion
    },
    compact: () => server.compact(),
    server,
  }
}
