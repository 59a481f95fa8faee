import { Subscription } from 'rxjs'
import type { Client } from '../../sdk/engine/client/client.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { watchResource } from '../../sdk/engine/watch/watch-resource.js'
import { type SimulatedWorkload, simulatedKinds } from './set-ready.js'

/** Options of {@link runWorkloads}. */
export interface RunWorkloadsOptions {
  client: Client
  transport: Transport
  signal: AbortSignal
  /** Called with an object that cannot be made ready. */
  onProblem: (message: string) => void
}

/** Simulated controllers of workloads. */
export interface RunningWorkloads {
  /** Whether they have handled each object that they saw. */
  isIdle(): boolean
}

/**
 * Simulates the controllers of workloads and the kubelet until the signal aborts: every Deployment, StatefulSet and
 * DaemonSet becomes ready, every Job succeeds, every PersistentVolumeClaim is bound, every load balancer gets an
 * address, and every APIService is available.
 */
export function runWorkloads({
  client,
  transport,
  signal,
  onProblem,
}: RunWorkloadsOptions): RunningWorkloads {
  let pending = 0
  const handle = async ({ resource, setReady }: SimulatedWorkload, object: KubeObject) => {
    pending += 1
    try {
      await setReady(client, object)
    } catch (error) {
      if (!isNotFound(error)) onProblem(`cannot simulate a ${resource.kind}: ${String(error)}`)
    } finally {
      pending -= 1
    }
  }
  const watches = new Subscription()
  for (const workload of simulatedKinds) {
    const subscription = watchResource({ transport, resource: workload.resource }).subscribe((event) => {
      if ('object' in event && event.type !== 'deleted') void handle(workload, event.object)
    })
    watches.add(subscription)
  }
  // One listener for all kinds: Node reports the eleventh of a signal as a leak.
  signal.addEventListener('abort', () => watches.unsubscribe(), { once: true })
  return { isIdle: () => pending === 0 }
}
