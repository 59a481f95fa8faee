import type { Method } from '../../engine/grpc/service.js'
import type { Call } from './call.js'

type RequestOf<M> = M extends Method<infer Request, infer _Response> ? Request : never
type ResponseOf<M> = M extends Method<infer _Request, infer Response> ? Response : never

/** The implementation of a generated service: every method of it. */
export type Methods<Definition> = {
  readonly [Name in keyof Definition]: (
    request: RequestOf<Definition[Name]>,
    call: Call,
  ) => ResponseOf<Definition[Name]> | Promise<ResponseOf<Definition[Name]>>
}

/** One method that can be called with bytes. */
export interface ServedMethod {
  /** For example `/cnpgi.identity.v1.Identity/Probe`. */
  readonly path: string
  call(request: Buffer, call: Call): Promise<Buffer>
  /** Decodes a request and its answer, for the inspector. */
  readonly read: {
    readonly request: (bytes: Buffer) => unknown
    readonly answer: (bytes: Buffer) => unknown
  }
}

/** The methods of a service. */
export function serveMethods<Definition extends object>(
  definition: Definition,
  methods: Methods<Definition>,
): ServedMethod[] {
  const entries = Object.entries(definition) as [keyof Definition, Method<unknown, unknown>][]
  return entries.map(([name, method]) => {
    const run = methods[name] as (request: unknown, call: Call) => unknown
    return {
      path: method.path,
      read: { request: method.decodeRequest, answer: method.decodeResponse },
      call: async (request, call) => method.encodeResponse(await run(method.decodeRequest(request), call)),
    }
  })
}
