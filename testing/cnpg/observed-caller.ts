import { operatorLifecycleMethods, operatorMethods } from '../../sdk/cnpg/calls/methods.js'
import {
  OperatorOperationType_Type as Operation,
  type OperatorLifecycleRequest,
} from '../../sdk/cnpg/proto/gen/operator-lifecycle.js'
import type { Method } from '../../sdk/engine/grpc/service.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { PatchOperation } from '../../sdk/engine/kube/json-patch/operation.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { PluginCaller } from './caller.js'
import { verbOf } from './loaded-plugin.js'

/** The answer of one hook. */
export interface HookAnswer {
  /** The object that the hook got; without a kind only if the caller sent none. */
  readonly object: KubeObject
  /** The verb of the operator, for example `EVALUATE`; `default` and `status` of a Cluster. */
  readonly hook: string
  /** The patch of the object; empty for no change. */
  readonly patch: readonly PatchOperation[]
  /** The status that the plugin answered, as JSON. */
  readonly status?: string
}

/** Calls a plugin through another caller, and reports the answers of its hooks. */
export class ObservedCaller implements PluginCaller {
  readonly #caller: PluginCaller
  readonly #onAnswer: (answer: HookAnswer) => void

  constructor(caller: PluginCaller, onAnswer: (answer: HookAnswer) => void) {
    this.#caller = caller
    this.#onAnswer = onAnswer
  }

  async call<Request, Response>(method: Method<Request, Response>, request: Request): Promise<Response> {
    const response = await this.#caller.call(method, request)
    const answer = readers[method.path]?.(request as never, response as never)
    if (answer) this.#onAnswer(answer)
    return response
  }

  close(): void {
    this.#caller.close()
  }
}

const readers: Readonly<Record<string, (request: never, response: never) => HookAnswer | undefined>> = {
  [operatorLifecycleMethods.lifecycleHook.path]: (
    { operationType, objectDefinition }: OperatorLifecycleRequest,
    { jsonPatch }: { jsonPatch: Buffer },
  ) => ({
    object: objectOf(objectDefinition),
    hook: verbOf(operationType?.type ?? Operation.TYPE_UNSPECIFIED),
    patch: patchOf(jsonPatch),
  }),
  [operatorMethods.mutateCluster.path]: (
    { definition }: { definition: Buffer },
    { jsonPatch }: { jsonPatch: Buffer },
  ) => ({ object: objectOf(definition), hook: 'default', patch: patchOf(jsonPatch) }),
  [operatorMethods.setStatusInCluster.path]: (
    { cluster }: { cluster: Buffer },
    { jsonStatus }: { jsonStatus: Buffer },
  ) => {
    if (jsonStatus.length === 0) return undefined
    return { object: objectOf(cluster), hook: 'status', patch: [], status: jsonStatus.toString() }
  },
}

const objectOf = (bytes: Buffer) => parseJson(bytes) as KubeObject
const patchOf = (bytes: Buffer) => (bytes.length === 0 ? [] : (parseJson(bytes) as PatchOperation[]))
