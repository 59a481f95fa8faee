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
 * Selects the host objects that are shown in a virtual cluster: by labels, by a function, or `all`. Objects with a
 * {@link hostInternalReason} are never shown.
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
  /** The logger of the syncer. */
  logger: Logger
}

/**
 * Cluster-scoped kinds that describe what a cluster offers, and contain no data of users. vcluster also shows all of
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
  readonly #selectedBy: string
  readonly #logger: Logger
  readonly #logged = new Set<string>()

  /** Throws `PluginError` `INVALID_SELECTOR` for invalid labels. */
  constructor({ resource, select, logger }: HostSelectionOptions<T>) {
    this.#resource = resource
    this.#logger = logger
    const isSelected = selectorOf(select ?? (isOfferedKind(resource) ? 'all' : labelledSelector))
    this.#isSelected = (host, isNamed) => (select === undefined && isNamed) || isSelected(host)
    this.#selectedBy = select === undefined ? `the label ${syncFromHostLabel}=true` : 'its option select'
  }

  /** Whether an object is shown. `isNamed` means that the plugin names this object; then it needs no label. */
  has(host: T, { isNamed = false } = {}): boolean {
    if (!this.#isSelected(host, isNamed)) return false
    const reason = hostInternalReason(this.#resource, host)
    if (reason && host.metadata.labels?.[syncFromHostLabel] === 'true') this.#logOnce(host, reason)
    return reason === undefined
  }

  /** Why an object is not shown, for the log. */
  reasonAgainst(host: T): string {
    return hostInternalReason(this.#resource, host) ?? `not selected by ${this.#selectedBy}`
  }

  /** Logs once why a labelled object is not shown, because a person waits for its copy. */
  #logOnce({ metadata }: T, reason: string): void {
    const object = formatKey(keyOf({ metadata }))
    if (this.#logged.has(object)) return
    this.#logged.add(object)
    this.#logger.warn(
      { host: object, kind: this.#resource.kind, reason },
      `labelled ${syncFromHostLabel}, but never shown in a virtual cluster`,
    )
  }
}

const labelledSelector: LabelSelector = { matchLabels: { [syncFromHostLabel]: 'true' } }

function selectorOf<T extends KubeObject>(select: HostSelect<T>): (host: T) => boolean {
  if (typeof select === 'function') return select
  if (select === 'all') return () => true
  const requirements = labelSelectorRequirements(select)
  return ({ metadata }) => matchesLabels(requirements, metadata.labels)
}
