import type { ServerClock } from '../base/clock.js'
import { statusResponse } from '../output/writer.js'
import type { ApiRequest, ApiResponse, UserInfo } from '../request/request.js'
import { failure } from '../request/status.js'
import type { ReadableStore } from '../store/readable.js'
import { ConnectionReset } from './connection-reset.js'
import type { StatusFault } from './fault-action.js'
import { toFaultedRequest } from './fault-match.js'
import type { FaultRules, Hit } from './faults.js'
import { PastStore } from './past-store.js'
import { pause } from './pause.js'
import { disturbWatch, type WatchFaultContext } from './watch-faults.js'

/** The parts of a server that fault injection needs. */
export interface FaultyServer {
  readonly faults: FaultRules
  readonly clock: ServerClock
  readonly store: ReadableStore
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
  /** Serves the request, reading from the given store. */
  readonly serve: (reads: ReadableStore) => Promise<ApiResponse>
}

/** Serves a request with all faults that apply. Rejects only with a {@link ConnectionReset}. */
export async function serveWithFaults(
  request: ApiRequest,
  user: UserInfo | undefined,
  server: FaultyServer,
): Promise<ApiResponse> {
  const hits = server.faults.hitsOf(toFaultedRequest(request, user))
  const { clock, closing } = server
  const endSignals = request.signal === undefined ? [closing] : [closing, request.signal]
  for (const { action, removalSignal } of hits) {
    if (action.type === 'delay') await pause(clock, action.delayMs, [...endSignals, removalSignal])
    if (action.type === 'reset' && action.when === 'before') throw new ConnectionReset(action.wholeConnection)
    if (action.type === 'status') return statusAnswer(action)
  }
  // A request whose client has disconnected in the meantime is not served.
  if (endSignals.some(({ aborted }) => aborted)) throw new ConnectionReset()
  const answer = await server.serve(readsOf(hits, server.store))
  await dropResponse(hits, answer)
  return withStreamFaults(answer, hits, { clock, ending: endSignals })
}

/** The store that the request reads: that of the past if a rule makes it stale. */
function readsOf(hits: readonly Hit[], store: ReadableStore): ReadableStore {
  for (const { action, removalSignal } of hits) {
    if (action.type !== 'stale') continue
    return new PastStore(store, { revision: Number(action.resourceVersion), released: removalSignal })
  }
  return store
}

/** Resets the connection if a rule does so after the request was served. */
async function dropResponse(hits: readonly Hit[], { body }: ApiResponse): Promise<void> {
  const reset = hits.find(({ action }) => action.type === 'reset' && action.when === 'after')
  if (reset?.action.type !== 'reset') return
  if (!(body instanceof Uint8Array)) await body[Symbol.asyncIterator]().return?.()
  throw new ConnectionReset(reset.action.wholeConnection)
}

function withStreamFaults(
  answer: ApiResponse,
  hits: readonly Hit[],
  context: WatchFaultContext,
): ApiResponse {
  let { body } = answer
  if (body instanceof Uint8Array) return answer
  for (const hit of hits) body = disturbWatch(body, hit, context)
  return { ...answer, body }
}

/** Kubernetes' reasons for these codes. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

function statusAnswer({
  code,
  reason = reasons[code],
  message,
  retryAfterSeconds,
}: StatusFault): ApiResponse {
  const text = message ?? `a fault rule of the embedded API server answers ${code}`
  const { status } = failure(code, text, {
    ...(reason === undefined ? {} : { reason }),
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  })
  const answer = statusResponse(status)
  if (retryAfterSeconds !== undefined) answer.headers['retry-after'] = String(retryAfterSeconds)
  return answer
}
