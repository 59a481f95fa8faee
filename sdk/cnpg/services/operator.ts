import { jsonEqual, parseJson, stringifyJson } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import type { Call } from '../calls/call.js'
import { decodeObject } from '../calls/decode.js'
import { HookError } from '../calls/hook-error.js'
import { operatorMethods } from '../calls/methods.js'
import { type ServedMethod, serveMethods } from '../calls/service.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import { CallContext } from '../context/call-context.js'
import type { Refusal } from '../context/contexts.js'
import { asJson } from '../patch/as-json.js'
import { OperatorCapability_RPC_Type as Type, type ValidationError } from '../proto/gen/operator.js'
import { defaultPatch } from './default-patch.js'
import { notDeclaredError } from './not-declared.js'
import type { RegisteredHooks } from './registered-hooks.js'
import type { SentStatuses } from './sent-statuses.js'
import { refusalsOfChange, refusalsOfCreate } from './validate.js'

/** The service for validation, defaults and status of Clusters. */
export function operatorService<P>(hooks: RegisteredHooks<P>, sent: SentStatuses): ServedMethod[] {
  return serveMethods(operatorMethods, {
    getCapabilities: () => ({ capabilities: capabilitiesOf(hooks).map((type) => ({ rpc: { type } })) }),
    async validateClusterCreate({ definition }, call) {
      const cluster = decodeObject<CnpgCluster>(definition, 'definition')
      return { validationErrors: (await refusalsOfCreate(hooks, { cluster, call })).map(toError) }
    },
    async validateClusterChange({ oldCluster, newCluster }, call) {
      const old = decodeObject<CnpgCluster>(oldCluster, 'old_cluster')
      const cluster = decodeObject<CnpgCluster>(newCluster, 'new_cluster')
      return { validationErrors: (await refusalsOfChange(hooks, { cluster, call }, old)).map(toError) }
    },
    async mutateCluster({ definition }, call) {
      const cluster = decodeObject<CnpgCluster>(definition, 'definition')
      const patch = await defaultPatch(hooks, { cluster, call })
      return { jsonPatch: patch.length > 0 ? jsonBytes(patch) : noBytes }
    },
    async setStatusInCluster({ cluster: bytes }, call) {
      const liveCluster = decodeObject<CnpgCluster>(bytes, 'cluster')
      const status = await changedStatus(hooks, liveCluster, call)
      return { jsonStatus: status.length > 0 && sent.shouldSend(liveCluster, status) ? status : noBytes }
    },
    deregister: () => {
      throw notDeclaredError(hooks.name, 'Deregister')
    },
  })
}

/** The calls of this service that the plugin declares, by its hooks. */
function capabilitiesOf<P>({ cluster, hasParameters }: RegisteredHooks<P>): Type[] {
  const declarations: readonly (readonly [Type, unknown])[] = [
    [Type.TYPE_VALIDATE_CLUSTER_CREATE, hasParameters || cluster.validateCreate],
    [Type.TYPE_VALIDATE_CLUSTER_CHANGE, hasParameters || cluster.validateChange],
    [Type.TYPE_MUTATE_CLUSTER, cluster.default],
    [Type.TYPE_SET_STATUS_IN_CLUSTER, cluster.status],
  ]
  return declarations.filter(([, served]) => served).map(([type]) => type)
}

const noBytes = Buffer.alloc(0)
const jsonBytes = (value: unknown) => Buffer.from(stringifyJson(value))

/** A refusal in the form of the protocol. */
const toError = ({ path, value, message }: Refusal): ValidationError => ({
  pathComponents: [...path],
  value,
  message,
})

/** The status as JSON; no bytes if the Cluster already has the same status. */
async function changedStatus<P>(
  hooks: RegisteredHooks<P>,
  cluster: CnpgCluster,
  call: Call,
): Promise<Buffer> {
  const { status } = hooks.cluster
  if (!status) throw notDeclaredError(hooks.name, 'SetStatusInCluster')
  const ctx = new CallContext(hooks, { cluster, call })
  const newStatus = await status.call(hooks.cluster, ctx, ctx.cluster)
  if (newStatus === undefined) return noBytes
  const json = asJson(newStatus)
  if (!isJsonObject(json))
    throw new HookError(`status of plugin ${hooks.name} must answer an object`, { code: 'INTERNAL' })
  return jsonEqual(json, liveStatus(cluster, hooks.name)) ? noBytes : jsonBytes(sortMembers(json))
}

/** The status of the plugin that the Cluster has now; undefined if it has none. */
function liveStatus(cluster: CnpgCluster, name: string): unknown {
  const text = cluster.status?.pluginStatus?.find((status) => status.name === name)?.status
  if (!text) return undefined
  try {
    return parseJson(text)
  } catch {
    // A text that is not JSON differs from every answer of the plugin.
    return undefined
  }
}

/** A JSON value with sorted members, so that equal statuses have equal bytes. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]))
}
