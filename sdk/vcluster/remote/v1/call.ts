import { type CallOptions, type ClientUnaryCall, Metadata, type ServiceError } from '@grpc/grpc-js'

/** Limits of one call. */
export interface UnaryOptions {
  /** Whole-call limit in milliseconds, connecting included. Default 10,000. */
  timeoutMs?: number
  /** Cancels the call, which then rejects with the signal's reason. Default: not cancellable. */
  signal?: AbortSignal | undefined
}

type UnaryMethod<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Response) => void,
) => ClientUnaryCall

/** Makes one unary gRPC call. Rejects with grpc-js's `ServiceError`, whose `code` is a `status`. */
export function callUnary<Request, Response>(
  method: UnaryMethod<Request, Response>,
  request: Request,
  { timeoutMs = 10_000, signal }: UnaryOptions = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => call.cancel()
    const call = method(request, new Metadata(), { deadline: Date.now() + timeoutMs }, (error, response) => {
      signal?.removeEventListener('abort', onAbort)
      if (error === null) return resolve(response)
      reject(signal?.aborted ? signal.reason : error)
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
