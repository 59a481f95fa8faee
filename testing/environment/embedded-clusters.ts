import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { hasFileRequests } from './real-time-work.js'
import type { TestCluster, TestEnvironment } from './test-environment.js'

/**
 * In one process, requests and events travel by promises and immediates. A pending change therefore shows within a few
 * turns of the event loop.
 */
const quietTicks = 25

/** One turn of the event loop. Waits longer while a file is being read, because that takes real time. */
async function tick(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve))
  while (hasFileRequests())
}

/** Two embedded clusters in this process, new for each run, in virtual time. */
export const embeddedClusters: TestEnvironment = {
  async open(clock) {
    const virtual = await createApiServer({ name: 'virtual', seed: 1, clock })
    const host = await createApiServer({ name: 'host', seed: 2, clock })
    return {
      virtual: embeddedCluster(virtual),
      host: embeddedCluster(host),
      tick,
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
