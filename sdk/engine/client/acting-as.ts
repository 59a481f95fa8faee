import type { Caller } from '../kube/caller.js'
import { impersonationOf } from '../transport/impersonation.js'
import type { Transport } from '../transport/transport.js'

/** A transport that impersonates a user in every call. */
export function actingAs(transport: Transport, caller: Caller): Transport {
  const as = impersonationOf(caller)
  return {
    request: (request) => transport.request({ ...request, as }),
    stream: (request) => transport.stream({ ...request, as }),
    close: () => transport.close(),
  }
}
