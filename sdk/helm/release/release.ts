import type { JsonObject } from '../chart/json-object.js'
import type { ReleaseHook } from '../render/release-hook.js'
import type { RecordedChart } from '../render/renderer.js'

/** The state of a revision, in Helm's words. */
const releaseStatuses = [
  ...(['unknown', 'deployed', 'uninstalled', 'superseded', 'failed', 'uninstalling'] as const),
  ...(['pending-install', 'pending-upgrade', 'pending-rollback'] as const),
]

/** One of {@link releaseStatuses}. */
export type ReleaseStatus = (typeof releaseStatuses)[number]

/** The part of a revision that changes; times are in the format of RFC 3339. */
export interface ReleaseInfo {
  /** The time of revision 1. */
  readonly first_deployed?: string
  readonly last_deployed?: string
  readonly deleted?: string
  readonly description?: string
  readonly status: ReleaseStatus
  readonly notes?: string
  readonly [field: string]: unknown
}

/** One revision of a release as Helm stores it, with Helm's names. Fields that are not named here are kept. */
export interface Release {
  readonly name: string
  readonly namespace: string
  /** The revision, from 1 on. */
  readonly version: number
  readonly info: ReleaseInfo
  readonly chart: RecordedChart
  /** The user's values, without the chart's defaults. */
  readonly config: JsonObject
  /** All objects as YAML documents in install order. */
  readonly manifest: string
  readonly hooks: readonly ReleaseHook[]
  /** `ssa` if the objects were applied by server-side apply; otherwise by client-side apply. */
  readonly apply_method?: string
  readonly [field: string]: unknown
}
