import type { CallFailure } from '../../sdk/cnpg/calls/call-runner.js'
import type { PluginRuntime } from '../../sdk/cnpg/plugin.js'

/** A method of generated code, as a client uses it. */
export interface ClientMethod<Request, Response> {
  readonly path: string
  readonly requestSerialize: (request: Request) => Buffer
  readonly responseDeserialize: (bytes: Buffer) => Response
}

/** A failed call, with the text that the operator shows. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly failure: CallFailure

  constructor(failure: CallFailure, codeName: string) {
    super(`rpc error: code = ${codeName} desc = ${failure.details}`)
    this.failure = failure
  }
}

/** Calls the methods of a plugin in the same process. Requests and responses are encoded, as between processes. */
export class Caller {
  readonly #plugin: PluginRuntime<never>
  readonly #methods: ReadonlyMap<string, ReturnType<PluginRuntime['servedMethods']>[number]>

  constructor(plugin: PluginRuntime<never>) {
    this.#plugin = plugin
    this.#methods = new Map(plugin.servedMethods().map((method) => [method.path, method]))
  }

  /** Throws {@link CallError} if the plugin answers an error. */
  async call<Request, Response>(
    method: ClientMethod<Request, Response>,
    request: Request,
  ): Promise<Response> {
    const served = this.#methods.get(method.path)
    if (!served) throw new Error(`the plugin does not serve ${method.path}`)
    const answer = await this.#plugin.runner.run(served, method.requestSerialize(request))
    if (Buffer.isBuffer(answer)) return method.responseDeserialize(answer)
    throw new CallError(answer, goCodeName(answer.code))
  }
}

/** The name of a status code as Go prints it, for example `InvalidArgument`. */
function goCodeName(code: number): string {
  return goCodes[code] ?? `Code(${code})`
}

const goCodes: Readonly<Record<number, string>> = {
  1: 'Canceled',
  2: 'Unknown',
  3: 'InvalidArgument',
  4: 'DeadlineExceeded',
  9: 'FailedPrecondition',
  12: 'Unimplemented',
  13: 'Internal',
  14: 'Unavailable',
}
