import type { ClientBounds } from '../../engine/client/create-client.js'
import { openUntil } from '../../engine/client/write-gate.js'
import { bindCluster } from '../../engine/cluster/bind-cluster.js'
import type { Writer } from '../../engine/store/writer.js'
import type { CancelToken } from '../../engine/time/cancellation.js'
import type { RegisterContext } from './register-context.js'

/** The bounds of the clients of a context. */
export interface ContextBounds {
  /** Ends calls without their own signal. */
  signal?: CancelToken
  /** The monotonic time until which writes may start, in milliseconds; default the deadline of the process. */
  deadline?: () => number
  /** The run that writes; default none. */
  writer?: Writer
}

/** The same context with clients of both clusters that are bound to one piece of work. */
export function bindContext<C extends RegisterContext>(
  ctx: C,
  { signal, deadline, writer }: ContextBounds,
): C {
  const bounds: ClientBounds = {
    ...(signal && { signal }),
    ...(writer && { writer }),
    ...(deadline && { gate: openUntil({ deadline, clock: ctx.clock }) }),
  }
  return { ...ctx, virtual: bindCluster(ctx.virtual, bounds), host: bindCluster(ctx.host, bounds) }
}
