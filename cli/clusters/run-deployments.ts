import type { Client } from '../../sdk/client/client.js'
import { deployments } from '../../sdk/kube/builtin.js'
import { isNotFound } from '../../sdk/kube/error.js'
import type { Transport } from '../../sdk/transport/transport.js'
import { watchResource } from '../../sdk/watch/watch-resource.js'
import { setDeploymentReady } from '../../testing/operator/set-ready.js'

/** Options of {@link runDeployments}. */
export interface RunDeploymentsOptions {
  client: Client
  transport: Transport
  signal: AbortSignal
  /** Called with a Deployment that cannot be made ready. */
  onProblem: (message: string) => void
}

/** Simulates the Deployment controller and the kubelet until the signal aborts: every Deployment becomes ready. */
export function runDeployments({ client, transport, signal, onProblem }: RunDeploymentsOptions): void {
  const seen = watchResource({ transport, resource: deployments }).subscribe((event) => {
    if (!('object' in event) || event.type === 'deleted') return
    setDeploymentReady(client, event.object).catch((error: unknown) => {
      if (!isNotFound(error)) onProblem(`cannot simulate a Deployment: ${String(error)}`)
    })
  })
  signal.addEventListener('abort', () => seen.unsubscribe())
}
