import { openUntil } from '../../engine/client/write-gate.js'
import { bindCluster } from '../../engine/cluster/bind-cluster.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import type { Run } from '../../engine/controller/run.js'
import { formatKey } from '../../engine/kube/key.js'
import { lazyLogger } from '../../engine/observe/lazy-logger.js'
import type { Logger } from '../../engine/observe/logger.js'
import { abortSignalOf } from '../../engine/time/cancellation.js'
import type { ClusterAccess, DeletedContext } from '../controller/context.js'
import { clusterNamed } from '../controller/environment.js'
import type { WiredController } from '../controller/wired-controller.js'

/** The clusters and the logger of one run of a controller. */
export class RunContext {
  readonly logger: Logger
  readonly #wired: WiredController
  readonly #run: Run
  readonly #clusters = new Map<string, Cluster>()

  constructor(wired: WiredController, run: Run) {
    this.#wired = wired
    this.#run = run
    const { logger } = wired.environment
    this.logger = lazyLogger(() => logger.child({ controller: wired.name, key: formatKey(run.key) }), logger)
  }

  /** The cluster of the primary, with a client that is bound to this run. */
  get primary(): Cluster {
    return this.bind(this.#wired.cluster)
  }

  /** Binds the client of a cluster to this run. */
  bind(cluster: Cluster): Cluster {
    const boundCluster = this.#clusters.get(cluster.name)
    if (boundCluster) return boundCluster
    const { key, signal, deadline } = this.#run
    const { name, applier, environment } = this.#wired
    const { clock } = environment
    const bound = bindCluster(cluster, {
      signal,
      writer: { controller: name, key },
      onDelete: (resource, deleted) => applier.noteOwnDeletion({ cluster, resource }, deleted),
      ...(deadline && { gate: openUntil({ deadline, clock }) }),
    })
    this.#clusters.set(cluster.name, bound)
    return bound
  }

  /** The part of a context that needs no object; `access` makes the view of a cluster for the run. */
  base<A extends Pick<ClusterAccess, 'client'>>(
    access: (cluster: Cluster) => A,
  ): A & Pick<DeletedContext, 'key' | 'signal' | 'clock' | 'logger'> & { cluster(name: string): A } {
    const { environment, clusters, name, cluster } = this.#wired
    const { key, signal } = this.#run
    return {
      ...access(this.bind(cluster)),
      key,
      get signal() {
        return abortSignalOf(signal)
      },
      clock: environment.clock,
      logger: this.logger,
      cluster: (wanted) => access(this.bind(clusterNamed(wanted, { clusters, controller: name }))),
    }
  }
}
