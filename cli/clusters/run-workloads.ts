import type { Client } from '../../sdk/client/client.js'
import { isNotFound } from '../../sdk/kube/error.js'
import type { Transport } from '../../sdk/transport/transport.js'
import { watchResource } from '../../sdk/watch/watch-resource.js'
import { type Workload, workloads } from '../../testing/operator/set-ready.js'

/** Options of {@link runWorkloads}. */
export interface RunWorkloadsOptions {
  client: Client
  transport: Transport
  signal: AbortSignal
  /** Called with an object that cannot be made ready. */
  onProblem: (message: string) => void
}

/**
 * Simulates the controllers of workloads and the kubelet until the signal aborts: every Deployment, StatefulSet and DaemonSet becomes
 * ready, and every Job succeeds.
 */
export function runWorkloads(options: RunWorkloadsOptions): void {
  for (const workload of workloads) runKind(workload, options)
}

function runKind(
  { resource, setReady }: Workload,
  { client, transport, signal, onProblem }: RunWorkloadsOptions,
): void {
  const seen = watchResource({ transport, resource }).subscribe((event) => {
    if (!('object' in event) || event.type === 'deleted') return
    setReady(client, event.object).catch((error: unknown) => {
      if (!isNotFound(error)) onProblem(`cannot simulate a ${resource.kind}: ${String(error)}`)
    })
  })
  signal.addEventListener('abort', () => seen.unsubscribe())
}
