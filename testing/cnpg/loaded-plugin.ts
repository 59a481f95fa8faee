import {
  identityMethods,
  operatorLifecycleMethods,
  operatorMethods,
  reconcilerHooksMethods,
} from '../../sdk/cnpg/calls/methods.js'
import { PluginCapability_Service_Type as Service } from '../../sdk/cnpg/proto/gen/identity.js'
import { OperatorCapability_RPC_Type as OperatorType } from '../../sdk/cnpg/proto/gen/operator.js'
import { OperatorOperationType_Type as Operation } from '../../sdk/cnpg/proto/gen/operator-lifecycle.js'
import type { ReconcilerHooksCapability_Kind as Kind } from '../../sdk/cnpg/proto/gen/reconciler.js'
import type { PluginCaller } from './caller.js'

/** The answers of a plugin when it is loaded. */
export interface LoadedPlugin {
  readonly name: string
  readonly version: string
  readonly services: readonly Service[]
  readonly operator: readonly OperatorType[]
  /** `group/Kind VERB`, for example `/Pod CREATE`. */
  readonly hooked: ReadonlySet<string>
  readonly reconciled: readonly Kind[]
}

/** Loads a plugin with the calls of the operator, in its order. Rejects at the first error. */
export async function loadPlugin(caller: PluginCaller): Promise<LoadedPlugin> {
  const { name, version } = await caller.call(identityMethods.getPluginMetadata, {})
  const { capabilities } = await caller.call(identityMethods.getPluginCapabilities, {})
  const services = capabilities.map(({ service }) => service?.type ?? Service.TYPE_UNSPECIFIED)
  const operator = services.includes(Service.TYPE_OPERATOR_SERVICE)
    ? (await caller.call(operatorMethods.getCapabilities, {})).capabilities
    : []
  const lifecycle = services.includes(Service.TYPE_LIFECYCLE_SERVICE)
    ? (await caller.call(operatorLifecycleMethods.getCapabilities, {})).lifecycleCapabilities
    : []
  const reconciler = services.includes(Service.TYPE_RECONCILER_HOOKS)
    ? (await caller.call(reconcilerHooksMethods.getCapabilities, {})).reconcilerCapabilities
    : []
  const hooked = lifecycle.flatMap(({ group, kind, operationTypes }) =>
    operationTypes.map(({ type }) => `${group}/${kind} ${verbOf(type)}`),
  )
  return {
    name,
    version,
    services,
    operator: operator.map(({ rpc }) => rpc?.type ?? OperatorType.TYPE_UNSPECIFIED),
    hooked: new Set(hooked),
    reconciled: reconciler.map(({ kind }) => kind),
  }
}

const verbs = new Map<Operation, string>(
  Object.entries(Operation).map(([name, type]) => [type as Operation, name.replace('TYPE_', '')]),
)

/** For example `CREATE`. */
export const verbOf = (type: Operation): string => verbs.get(type) ?? ''
