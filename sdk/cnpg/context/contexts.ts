import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import type { PluginEntry } from '../cluster/plugin-entry.js'
import type { ParameterProblem } from '../parameters/parameters.js'
import type { ObjectVerb } from './verb.js'

/** The context of every hook: the Cluster, and the parameters of the plugin in it. */
export interface CnpgHookContext<P = Record<string, string>> {
  /** The Cluster, frozen. */
  readonly cluster: DeepReadonly<CnpgCluster>
  /** The entry of the plugin in the Cluster; undefined if only the operator names the plugin (`INCLUDE_PLUGINS`). */
  readonly entry: PluginEntry | undefined
  /** The parameters, read by the schema. Throws `HookError` `INVALID_ARGUMENT` if they do not fit. */
  readonly parameters: P
  /** The problems of the parameters; empty if they fit. */
  readonly parameterProblems: readonly ParameterProblem[]
  /** Adds the Cluster and the method to each line. */
  readonly logger: Logger
  /** Aborts when the caller gives up, when the call takes too long, or when the plugin has to stop. */
  readonly signal: AbortSignal
  /** The parameters of the plugin in another Cluster object; undefined if they do not fit. */
  parametersOf(cluster: DeepReadonly<CnpgCluster>): P | undefined
}

/** The context of a hook for objects. */
export interface ObjectContext<P = Record<string, string>> extends CnpgHookContext<P> {
  /** The operation of the operator. */
  readonly verb: ObjectVerb
}

/** The context of `default`. */
export interface ClusterDefaultContext<P = Record<string, string>> extends CnpgHookContext<P> {
  /**
   * Writes parameters into the draft of the Cluster, with the defaults of the schema. Parameters that the schema does
   * not have stay. Default: the parameters of the Cluster.
   */
  writeParameters(cluster: CnpgCluster, parameters?: P): void
}

/** One refusal of a Cluster. */
export interface Refusal {
  /** In the Cluster, for example `['spec', 'plugins', '0', 'parameters', 'labels']`; never empty. */
  readonly path: readonly string[]
  readonly value: string
  readonly message: string
}

/** The context of `validateCreate` and `validateChange`. */
export interface ClusterValidateContext<P = Record<string, string>> extends CnpgHookContext<P> {
  /** All refusals so far: those of parameters that do not fit, and those of the hook. */
  readonly refusals: readonly Refusal[]
  /** Refuses a parameter, for example `ctx.refuse(['labels'], 'labels cannot be changed')`. */
  refuse(parameter: readonly string[], message: string): void
  /** Refuses any field of the Cluster, for example `ctx.refuseField(['spec', 'instances'], '4', 'must be odd')`. */
  refuseField(path: readonly [string, ...string[]], value: string, message: string): void
}

/** Ends the reconciliation for now. */
export interface ReconcileStop {
  readonly behavior: 'requeue' | 'stop'
  readonly reason: string
  /** Only for `requeue`. */
  readonly afterSeconds: number
}

/** The context of hooks before and after a reconciliation. */
export interface ReconcileContext<P = Record<string, string>> extends CnpgHookContext<P> {
  /**
   * Return the result to end this reconciliation and repeat it later. The Cluster does not show the reason, so it is
   * logged.
   *
   * @throws `RangeError` unless the seconds are a positive whole number
   */
  requeue(afterSeconds: number, reason: string): ReconcileStop
  /** Return the result to end the reconciliation until something changes. The reason is logged. */
  stop(reason: string): ReconcileStop
}
