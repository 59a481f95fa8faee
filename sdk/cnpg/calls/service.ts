import type { Call } from './call.js'

/** A method of generated code. */
export interface MethodDefinition<Request = unknown, Response = never> {
  readonly path: string
  readonly requestDeserialize: (bytes: Buffer) => Request
  readonly responseSerialize: (response: Response) => Buffer
  readonly responseDeserialize: (bytes: Buffer) => unknown
}

type RequestOf<M> = M extends { requestDeserialize: (bytes: Buffer) => infer Request } ? Request : never
type ResponseOf<M> = M extends { responseDeserialize: (bytes: Buffer) => infer Response } ? Response : never

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
export function serveMethods<Definition extends Readonly<Record<string, MethodDefinition>>>(
  definition: Definition,
  methods: Methods<Definition>,
): ServedMethod[] {
  return Object.entries(definition).map(([name, method]) => {
    const run = methods[name] as unknown as (request: unknown, call: Call) => unknown
    return {
      path: method.path,
      read: { request: method.requestDeserialize, answer: method.responseDeserialize },
      call: async (request, call) =>
        method.responseSerialize((await run(method.requestDeserialize(request), call)) as never),
    }
  })
}
