import type { CustomResourceDefinition } from '../../engine/kube/builtin.js'
import type { LabelSelector } from '../../engine/kube/label-selector.js'
import type { FileChart } from '../chart/chart.js'
import type { ValueOverride } from '../values/overrides.js'

/** The kind of custom resource that an entry is about. */
export interface WatchedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** The plural of the kind; default: that of the definition, or else guessed from the kind. */
  readonly plural?: string
  readonly namespaced?: boolean
}

/** An entry of a `watches.yaml`. */
export interface WatchEntry {
  readonly resource: WatchedKind
  readonly chart: FileChart
  /** The definition of the kind. */
  readonly definition?: CustomResourceDefinition
  /** Whether changes of the objects of a release trigger its custom resource. */
  readonly watchDependentResources: boolean
  /** `overrideValues`, then `overrideStringValues`, in the order of the file. */
  readonly overrides: readonly ValueOverride[]
  /** The time after which a release is compared again, in milliseconds; 0 for never. */
  readonly reconcilePeriodMs: number
  readonly maxConcurrentReconciles: number
  readonly selector?: LabelSelector
  readonly target?: 'virtual' | 'host'
  readonly targetNamespace?: string
  readonly createNamespace?: boolean
  readonly releaseName?: 'name' | 'name-hash'
  readonly wait?: 'none' | 'ready' | 'jobs'
  /** The limit of each hook and of waiting, in milliseconds. */
  readonly timeoutMs?: number
  /** The most revisions that are kept; 0 keeps all. */
  readonly maxHistory?: number
  readonly onFailure?: 'retry' | 'uninstall' | 'rollback'
  readonly crds?: 'install' | 'upgrade' | 'skip'
  readonly adopt?: 'never' | 'same-chart' | 'always'
  readonly driftDetection?: 'correct' | 'report' | 'off'
  /** The handling of an environment variable that a container has twice. */
  readonly repeatedEnv?: 'refuse' | 'last'
  /** The handling of values that the chart probably does not mean. */
  readonly doubtfulValues?: 'warn' | 'refuse' | 'ignore'
}
