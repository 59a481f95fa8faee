import { formatKey, keyOf } from '../../../engine/kube/key.js'
import {
  type LabelSelector,
  labelSelectorRequirements,
  matchesLabels,
} from '../../../engine/kube/label-selector.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import type { Logger } from '../../../engine/observe/logger.js'
import { syncFromHostLabel } from '../../naming/ownership-keys.js'
import { hostInternalReason } from './host-internals.js'

/**
 * The host objects that a virtual cluster is shown: those with certain labels, those that a function accepts, or `all`.
 * Whatever it says, {@link hostInternalReason} has the last word.
 */
export type HostSelect<T extends KubeObject = KubeObject> = 'all' | LabelSelector | ((host: T) => boolean)

/** Options of {@link HostSelection}. */
export interface HostSelectionOptions<T extends KubeObject> {
  resource: Resource<T>
  /**
   * Default the label `plugin.vcluster.loft.sh/sync-from-host: "true"`, and all of a kind that {@link offeredKinds}
   * lists.
   */
  select: HostSelect<T> | undefined
  /** The syncer's. */
  logger: Logger
}

/**
 * Cluster-scoped kinds that say what a cluster offers, and hold no user's data. vcluster, too, shows all of
 * their objects (`sync.fromHost` in `chart/values.yaml` @ vcluster v0.36.1).
 */
const offeredKinds: ReadonlySet<string> = new Set([
  'csidrivers.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'gatewayclasses.gateway.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'priorityclasses.scheduling.k8s.io',
  'runtimeclasses.node.k8s.io',
  'storageclasses.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
  'volumesnapshotclasses.snapshot.storage.k8s.io',
])

/** Whether all objects of a kind are shown if no selection is given. */
export function isOfferedKind(resource: Resource): boolean {
  return !resource.namespaced && offeredKinds.has(formatResource(resource))
}

/** Decides which host objects one syncer shows. */
export class HostSelection<T extends KubeObject> {
  readonly #resource: Resource<T>
  readonly #isSelected: (host: T, isNamed: boolean) => boolean
  readonly #wanted: string
  readonly #logger: Logger
  readonly #told = new Set<string>()

  /** Throws `PluginError` `INVALID_SELECTOR` for labels that cannot be. */
  constructor({ resource, select, logger }: HostSelectionOptions<T>) {
    this.#resource = resource
    this.#logger = logger
    const isWanted = selectorOf(select ?? (isOfferedKind(resource) ? 'all' : labelled))
    this.#isSelected = (host, isNamed) => (select === undefined && isNamed) || isWanted(host)
    this.#wanted = select === undefined ? `the label ${syncFromHostLabel}=true` : 'its option select'
  }

  /** Whether an object is shown. `isNamed` if the plugin names this one object; then it needs no label. */
  has(host: T, { isNamed = false } = {}): boolean {
    if (!this.#isSelected(host, isNamed)) return false
    const reason = hostInternalReason(this.#resource, host)
    if (reason && host.metadata.labels?.[syncFromHostLabel] === 'true') this.#tell(host, reason)
    return reason === undefined
  }

  /** Why an object is not shown, for the log. */
  reasonAgainst(host: T): string {
    return hostInternalReason(this.#resource, host) ?? `not selected by ${this.#wanted}`
  }

  /** A person who labels an object waits for its copy. Said once. */
  #tell({ metadata }: T, reason: string): void {
    const object = formatKey(keyOf({ metadata }))
    if (this.#told.has(object)) return
    this.#told.add(object)
    this.#logger.warn(
      { host: object, kind: this.#resource.kind, reason },
      `labelled ${syncFromHostLabel}, but never shown in a virtual cluster`,
    )
  }
}

const labelled: LabelSelector = { matchLabels: { [syncFromHostLabel]: 'true' } }

function selectorOf<T extends KubeObject>(select: HostSelect<T>): (host: T) => boolean {
  if (typeof select === 'function') return select
  if (select === 'all') return () => true
  const requirements = labelSelectorRequirements(select)
  return ({ metadata }) => matchesLabels(requirements, metadata.labels)
}
