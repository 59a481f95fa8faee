import { createApiServer } from '../../../apiserver/api-server.js'
import { createTransport } from '../../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../../sdk/engine/transport/load-kubeconfig.js'
import type { ClusterUnderTest } from '../../conformance/cluster-under-test.js'
import { httpsCluster } from '../../conformance/https-cluster.js'
import { listenForReviews } from '../../conformance/webhook-server.js'
import { startRealCluster } from '../../real/real-cluster.js'
import { differentialUserAgent } from '../client.js'
import { defineRobots } from '../robots.js'
import { answerReview, configureAdmission } from './policies.js'

/** The two servers to compare, both over HTTPS. */
export interface Servers {
  readonly embedded: ClusterUnderTest
  readonly real: ClusterUnderTest
  close(): Promise<void>
}

/** Starts both servers, without a controller manager, with the same custom resource, policies and webhooks. */
export async function startServers(): Promise<Servers> {
  const server = await createApiServer({ controllers: false, authorization: 'rbac' })
  await server.listen()
  const cluster = await startRealCluster()
  const webhooks = await listenForReviews(answerReview)
  const [embedded, real] = await Promise.all([
    connect('embedded', await server.kubeconfig()),
    connect('real', cluster.kubeconfig),
  ])
  await Promise.all([embedded, real].map((each) => configureAdmission(each, webhooks)))
  const close = async () => {
    await Promise.all([embedded.close(), real.close()])
    await Promise.all([server.close(), cluster.stop(), webhooks.close()])
  }
  return { embedded, real, close }
}

async function connect(name: string, kubeconfig: string): Promise<ClusterUnderTest> {
  const transport = createTransport({
    kubeconfig: await loadKubeconfig({ text: kubeconfig }),
    userAgent: differentialUserAgent,
  })
  await defineRobots(transport)
  await transport.close()
  return httpsCluster({ name, kubeconfig, hasControllerManager: false })
}
