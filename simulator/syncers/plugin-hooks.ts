import { statusName } from '../../sdk/engine/grpc/status.js'
import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { apiVersionOf, type Resource } from '../../sdk/engine/kube/resource.js'
import { decodeGo } from '../go-json/go-decode.js'
import { encodeGo } from '../go-json/go-encode.js'
import { type GoType, goType } from '../go-json/go-type.js'
import type { HookedKind, MutateRequest, MutateResult } from '../hook-call.js'

/** The operation for which vcluster calls a hook: `CreatePhysical`, `GetVirtual`. */
export type HookType = `${'Get' | 'Create' | 'Update' | 'Delete'}${'Physical' | 'Virtual'}`

/** A plugin with hooks, as the vcluster process knows it. */
export interface HookedPlugin {
  readonly name: string
  readonly clientHooks: readonly HookedKind[]
  /** Calls the hooks for an object. Rejects if they deny or do not answer. */
  mutate(request: MutateRequest): Promise<MutateResult>
}

/** Error if a hook denies or its plugin does not answer. vcluster's call fails. */
export class HookDenied extends Error {
  override readonly name = 'HookDenied'
}

/**
 * The hooks of every plugin. They are called one after the other, each with the answer of the one before; the last
 * answer is decoded into the object as Go does it.
 *
 * See pkg/util/pluginhookclient/client.go and pkg/plugin/v1/plugin.go @ vcluster v0.36.1.
 */
export class PluginHooks {
  readonly #plugins: () => Iterable<HookedPlugin>

  constructor(plugins: () => Iterable<HookedPlugin>) {
    this.#plugins = plugins
  }

  /** The object with which vcluster continues. Throws {@link HookDenied} with vcluster's message. */
  async afterHooks<T extends KubeObject>(type: HookType, resource: Resource<T>, object: T): Promise<T> {
    const hooked = [...this.#plugins()].flatMap((plugin) => hooksOf(plugin, type, resource))
    const struct = goType({ apiVersion: apiVersionOf(resource), kind: resource.kind })
    if (hooked.length === 0 || struct === undefined) return object
    const decoded = decodeGo(struct, stringifyJson(withType(resource, object)))
    const call = { apiVersion: apiVersionOf(resource), kind: resource.kind, type }
    const before = stringifyJson(encodeGo(struct, decoded))
    let answer: MutateResult = { object: before, mutated: false }
    for (const plugin of hooked) answer = await callHook(plugin, { ...call, object: answer.object }, answer)
    return answer.mutated ? (decodeInto(struct, answer.object, decoded) as T) : (parseJson(before) as T)
  }
}

/** The plugin, once for each registration of the hook. */
function hooksOf(plugin: HookedPlugin, type: HookType, resource: Resource): HookedPlugin[] {
  return plugin.clientHooks
    .filter(({ apiVersion, kind }) => apiVersion === apiVersionOf(resource) && kind === resource.kind)
    .flatMap(({ types }) => types.filter((registered) => registered === type))
    .map(() => plugin)
}

async function callHook(
  plugin: HookedPlugin,
  request: MutateRequest,
  before: MutateResult,
): Promise<MutateResult> {
  try {
    const result = await plugin.mutate(request)
    return result.mutated ? result : before
  } catch (cause) {
    const { code, details, message } = Object(cause)
    const grpcError = `rpc error: code = ${codeName(code)} desc = ${details ?? message ?? String(cause)}`
    throw new HookDenied(`call plugin ${plugin.name}: ${grpcError}`, { cause })
  }
}

/** A gRPC status code in the format of Go's library: `DeadlineExceeded`. */
function codeName(code: unknown): string {
  const name = typeof code === 'number' ? statusName(code) : 'UNKNOWN'
  return name.toLowerCase().replace(/(?:^|_)[a-z]/g, (start) => start.slice(-1).toUpperCase())
}

function decodeInto(type: GoType, answer: string, decoded: ReturnType<typeof decodeGo>): unknown {
  try {
    return encodeGo(type, decodeGo(type, answer, decoded))
  } catch (cause) {
    throw new HookDenied(`unmarshal obj: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}

/** Adds the type, which vcluster's objects have and objects from a list do not. */
const withType = <T extends KubeObject>(resource: Resource<T>, object: T): T => ({
  ...object,
  kind: resource.kind,
  apiVersion: apiVersionOf(resource),
})
