import type { CnpgCluster } from '../cluster/cluster.js'
import { usedPlugin } from '../cluster/plugin-entry.js'
import { writeParameters } from '../parameters/parameters.js'
import { CallContext, type ContextPlugin, type ContextSubject } from './call-context.js'
import type { ClusterDefaultContext } from './contexts.js'

/** The context of `default`. */
export class DefaultCallContext<P = Record<string, string>>
  extends CallContext<P>
  implements ClusterDefaultContext<P>
{
  readonly #plugin: ContextPlugin<P>

  constructor(plugin: ContextPlugin<P>, subject: ContextSubject) {
    super(plugin, subject)
    this.#plugin = plugin
  }

  /**
   * Writes parameters into the draft of the Cluster, with the defaults of the schema. Parameters that the schema does
   * not have stay. Default: the parameters of the Cluster.
   */
  writeParameters(cluster: CnpgCluster, parameters: P = this.parameters): void {
    if (!this.entry) return
    const plugin = usedPlugin(cluster, this.#plugin.name)?.plugin
    if (!plugin) return
    plugin.parameters = { ...plugin.parameters, ...writeParameters(this.#plugin.schema, parameters) }
  }
}
