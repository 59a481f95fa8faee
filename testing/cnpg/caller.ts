import type { Method } from '../../sdk/engine/grpc/service.js'

/** Calls the methods of one plugin. */
export interface PluginCaller {
  /** Throws {@link CallError} if the plugin answers an error, or cannot be reached. */
  call<Request, Response>(method: Method<Request, Response>, request: Request): Promise<Response>
  /** Closes its connections. */
  close(): void
}

/** A failed call, with the text that the operator shows. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** The number of the gRPC status. */
  readonly code: number

  constructor(code: number, details: string) {
    super(`rpc error: code = ${goCodes[code] ?? `Code(${code})`} desc = ${details}`)
    this.code = code
  }
}

/** The names of status codes as Go prints them. */
const goCodes: Readonly<Record<number, string>> = {
  1: 'Canceled',
  2: 'Unknown',
  3: 'InvalidArgument',
  4: 'DeadlineExceeded',
  5: 'NotFound',
  6: 'AlreadyExists',
  7: 'PermissionDenied',
  8: 'ResourceExhausted',
  9: 'FailedPrecondition',
  10: 'Aborted',
  11: 'OutOfRange',
  12: 'Unimplemented',
  13: 'Internal',
  14: 'Unavailable',
  15: 'DataLoss',
  16: 'Unauthenticated',
}
