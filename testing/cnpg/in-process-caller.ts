import type { PluginRuntime } from '../../sdk/cnpg/plugin.js'
import type { Method } from '../../sdk/engine/grpc/service.js'
import { CallError, type PluginCaller } from './caller.js'

/** Calls the methods of a plugin in the same process. Requests and responses are encoded, as between processes. */
export class InProcessCaller implements PluginCaller {
  readonly #plugin: PluginRuntime<never>
  readonly #methods: ReadonlyMap<string, ReturnType<PluginRuntime['servedMethods']>[number]>

  constructor(plugin: PluginRuntime<never>) {
    this.#plugin = plugin
    this.#methods = new Map(plugin.servedMethods().map((method) => [method.path, method]))
  }

  async call<Request, Response>(method: Method<Request, Response>, request: Request): Promise<Response> {
    const served = this.#methods.get(method.path)
    if (!served) throw new Error(`the plugin does not serve ${method.path}`)
    const answer = await this.#plugin.runner.run(served, method.encodeRequest(request))
    if (Buffer.isBuffer(answer)) return method.decodeResponse(answer)
    throw new CallError(answer.code, answer.details)
  }

  close(): void {}
}
