import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { freezeJson } from '../../engine/kube/json.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Call } from '../calls/call.js'
import { HookError } from '../calls/hook-error.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import { type PluginEntry, pluginEntry } from '../cluster/plugin-entry.js'
import {
  type ParameterProblem,
  type ParameterSchema,
  type ReadParameters,
  readParameters,
} from '../parameters/parameters.js'
import type { CnpgHookContext } from './contexts.js'

/** The plugin of a context. */
export interface ContextPlugin<P> {
  readonly name: string
  readonly schema: ParameterSchema<P>
}

/** The subject of one call. */
export interface ContextSubject {
  readonly cluster: CnpgCluster
  readonly call: Call
  /** The parameters in the request; default those of the Cluster. */
  readonly texts?: Readonly<Record<string, string>>
}

/** The context of every hook: the Cluster, and the parameters of the plugin in it. */
export class CallContext<P = Record<string, string>> implements CnpgHookContext<P> {
  /** The Cluster, frozen. */
  readonly cluster: DeepReadonly<CnpgCluster>
  /** The entry of the plugin in the Cluster; undefined if only the operator names the plugin (`INCLUDE_PLUGINS`). */
  readonly entry: PluginEntry | undefined
  /** Adds the Cluster and the method to each line. */
  readonly logger: Logger
  /** Aborts when the caller gives up, when the call takes too long, or when the plugin has to stop. */
  readonly signal: AbortSignal
  readonly #plugin: ContextPlugin<P>
  readonly #texts: Readonly<Record<string, string>>
  #read: ReadParameters<P> | undefined

  /** Made by the SDK. */
  constructor(plugin: ContextPlugin<P>, { cluster, call, texts }: ContextSubject) {
    this.#plugin = plugin
    this.cluster = freezeJson(cluster) as DeepReadonly<CnpgCluster>
    this.entry = pluginEntry(cluster, plugin.name)
    this.#texts = texts ?? this.entry?.parameters ?? {}
    const { namespace, name } = cluster.metadata
    this.logger = call.logger.child({ cluster: `${namespace}/${name}` })
    this.signal = call.signal
  }

  /** The parameters, read by the schema. Throws {@link HookError} `INVALID_ARGUMENT` if they do not fit. */
  get parameters(): P {
    const read = this.#readOnce()
    if (read.ok) return read.parameters
    const problems = read.problems.map(({ path, message }) => `${path.join('.') || 'parameters'}: ${message}`)
    const { namespace, name } = this.cluster.metadata
    throw new HookError(
      `parameters of plugin ${this.#plugin.name} in Cluster ${namespace}/${name}: ${problems.join('; ')}`,
      { code: 'INVALID_ARGUMENT' },
    )
  }

  /** The problems of the parameters; empty if they fit. */
  get parameterProblems(): readonly ParameterProblem[] {
    const read = this.#readOnce()
    return read.ok ? [] : read.problems
  }

  /** The parameters of the plugin in another Cluster object; undefined if they do not fit. */
  parametersOf(cluster: DeepReadonly<CnpgCluster>): P | undefined {
    const texts = pluginEntry(cluster, this.#plugin.name)?.parameters ?? {}
    const read = readParameters(this.#plugin.schema, texts)
    return read.ok ? read.parameters : undefined
  }

  #readOnce(): ReadParameters<P> {
    this.#read ??= readParameters(this.#plugin.schema, this.#texts)
    return this.#read
  }
}
