import { stringifyJson } from '../../engine/kube/json.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { decodeObject } from '../calls/decode.js'
import { HookError } from '../calls/hook-error.js'
import { operatorLifecycleMethods } from '../calls/methods.js'
import { type ServedMethod, serveMethods } from '../calls/service.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import type { ObjectVerb } from '../context/verb.js'
import { OperatorOperationType_Type as Type } from '../proto/gen/operator-lifecycle.js'
import type { ObjectPatches } from './object-patch.js'
import type { RegisteredHooks } from './registered-hooks.js'

/** The numbers of the verbs in the protocol. */
const types: Readonly<Record<ObjectVerb, Type>> = {
  CREATE: Type.TYPE_CREATE,
  UPDATE: Type.TYPE_UPDATE,
  PATCH: Type.TYPE_PATCH,
  DELETE: Type.TYPE_DELETE,
  EVALUATE: Type.TYPE_EVALUATE,
}
const verbs = new Map(Object.entries(types).map(([verb, type]) => [type, verb as ObjectVerb]))

/** The service for changes of the objects that the operator makes. */
export function lifecycleService<P>(hooks: RegisteredHooks<P>, patches: ObjectPatches<P>): ServedMethod[] {
  return serveMethods(operatorLifecycleMethods, {
    getCapabilities: () => ({
      lifecycleCapabilities: [...hooks.kinds.values()].map(({ resource: { group, kind }, handlers }) => ({
        group,
        kind,
        operationTypes: [...handlers.keys()].map((verb) => ({ type: types[verb] })),
      })),
    }),
    async lifecycleHook({ operationType, clusterDefinition, objectDefinition }, call) {
      const verb = verbs.get(operationType?.type ?? Type.TYPE_UNSPECIFIED)
      if (!verb) throw new HookError('the call has no operation type', { code: 'INVALID_ARGUMENT' })
      const cluster = decodeObject<CnpgCluster>(clusterDefinition, 'cluster_definition')
      const object = decodeObject<KubeObject>(objectDefinition, 'object_definition')
      const patch = await patches.patchOf({ cluster, call }, verb, object)
      return { jsonPatch: patch.length > 0 ? Buffer.from(stringifyJson(patch)) : Buffer.alloc(0) }
    },
  })
}
