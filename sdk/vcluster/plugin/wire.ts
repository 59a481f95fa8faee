import type { AcceptedWrite } from '../../engine/client/client.js'
import { openUntil } from '../../engine/client/write-gate.js'
import { ClusterRuntime } from '../../engine/cluster/cluster-runtime.js'
import type { KubeObject, OwnerReference } from '../../engine/kube/object.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { MemoryUsage } from '../../engine/observe/memory.js'
import { MemoryGuard } from '../../engine/observe/memory-guard.js'
import type { Metrics } from '../../engine/observe/metrics.js'
import type { Clock } from '../../engine/time/clock.js'
import { AppliedFields } from '../../engine/watch/applied-fields.js'
import type { RegisterContext, Side } from '../context/register-context.js'
import { hostOriginOf } from './host-origin.js'
import { type PluginConfig, readPluginConfig } from './plugin-config.js'
import type { Session } from './session.js'

/** Options of {@link wire}. */
export interface WireOptions {
  /** The time until which writes may start; see {@link Leadership.deadline}. */
  deadline: () => number
  owner: () => OwnerReference | undefined
  config: PluginConfig
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** Leaves objects out while there is no room for them. */
  memory?: MemoryGuard
  /** Called after each write that an API server accepted, with the object that the cache had before it. */
  onWritten?: (side: Side, written: AcceptedWrite, before: KubeObject | undefined) => void
  /** Called after each page of a store's list. */
  onPage?: () => void
}

/** Both clusters of a session, wired, and the context that syncers are constructed with. */
export interface Wiring {
  session: Session
  ctx: RegisterContext
  virtual: ClusterRuntime<'virtual'>
  host: ClusterRuntime<'host'>
  /** See {@link UnitEnvironment.appliedFields}. */
  appliedFields: AppliedFields
  config: PluginConfig
}

/** Wires a session's clusters: one write gate for both, the host restricted to the target namespace. */
export function wire(
  session: Session,
  { deadline, owner, config, onWritten, onPage, memory, ...observed }: WireOptions,
): Wiring {
  const { ownerService, ...facts } = session.facts
  const gate = openUntil({ deadline, clock: observed.clock })
  const appliedFields = new AppliedFields()
  const watched = {
    gate,
    appliedFields,
    ...observed,
    ...(onWritten && { onWritten }),
    ...(onPage && { onPage }),
    ...(memory && { memory }),
  }
  const virtual = new ClusterRuntime({ name: 'virtual', transport: session.virtual, ...watched })
  const host = new ClusterRuntime({
    name: 'host',
    transport: session.host,
    namespace: facts.targetNamespace,
    originOf: hostOriginOf,
    ...watched,
  })
  const ctx = { ...facts, virtual, host, owner, config: config.read, ...observed }
  return { session, virtual, host, appliedFields, config, ctx }
}

/** Options of {@link attachSession}. */
export interface AttachOptions extends Omit<WireOptions, 'config' | 'memory'> {
  env: Readonly<Record<string, string | undefined>>
  /** The memory usage of the process; default unlimited. */
  memory?: MemoryUsage | undefined
  /** Aborts when the plugin is stopped. */
  signal: AbortSignal
}

/**
 * Reads the plugin's configuration and wires the session; closes the session if that fails, because no other code would
 * close it.
 */
export async function attachSession(session: Session, options: AttachOptions): Promise<Wiring> {
  const { env, memory, signal, ...wiring } = options
  try {
    const config = await readPluginConfig(env)
    signal.throwIfAborted()
    const guard = memory && new MemoryGuard({ memory, clock: wiring.clock })
    return wire(session, { ...wiring, config, ...(guard && { memory: guard }) })
  } catch (error) {
    await session.close(error)
    throw error
  }
}
