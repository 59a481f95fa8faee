import type { Written } from '../client/client.js'
import { openUntil } from '../client/write-gate.js'
import { ClusterRuntime } from '../cluster/cluster-runtime.js'
import type { RegisterContext, Side } from '../context/register-context.js'
import type { OwnerReference } from '../kube/object.js'
import type { Logger } from '../observe/logger.js'
import type { MemoryGuard } from '../observe/memory-guard.js'
import type { Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'
import type { ReadConfig } from './plugin-config.js'
import type { Session } from './session.js'

/** What {@link wire} connects the session's two clusters with. */
export interface WireOptions {
  /** Until when writes may start; see {@link Leadership.deadline}. */
  deadline: () => number
  /** The same of the work that asks now; see {@link ShardAssignment.deadlineOfWork}. */
  deadlineOfWork: () => () => number
  owner: () => OwnerReference | undefined
  config: ReadConfig
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** Objects are left out while it has no room; default never. */
  memory?: MemoryGuard
  /** Told of each write that an API server accepted; default nobody. */
  onWritten?: (side: Side, written: Written) => void
  /** Told after each page of a store's list; default nobody. */
  onPage?: () => void
}

/** Both clusters with everything wired, and what the plugin's syncers see of it. */
export interface House {
  session: Session
  ctx: RegisterContext
  virtual: ClusterRuntime
  host: ClusterRuntime
}

/** Wires a session's clusters: one write gate before both, the host restricted to the target namespace. */
export function wire(
  session: Session,
  { deadline, deadlineOfWork, owner, config, onWritten, onPage, memory, ...observed }: WireOptions,
): House {
  const { ownerService, ...facts } = session.facts
  const gate = openUntil({ deadline, deadlineOfWork, clock: observed.clock })
  const watched = {
    gate,
    ...observed,
    ...(onWritten && { onWritten }),
    ...(onPage && { onPage }),
    ...(memory && { memory }),
  }
  const virtual = new ClusterRuntime({ side: 'virtual', transport: session.virtual, ...watched })
  const host = new ClusterRuntime({
    side: 'host',
    transport: session.host,
    namespace: facts.targetNamespace,
    ...watched,
  })
  return { session, virtual, host, ctx: { ...facts, virtual, host, owner, config, ...observed } }
}
