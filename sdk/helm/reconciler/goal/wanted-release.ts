import isEqual from 'lodash/isEqual.js'
import { sha256Hex } from '../../../engine/kube/concat-name.js'
import { stringifyJson } from '../../../engine/kube/json.js'
import type { JsonObject } from '../../chart/json-object.js'
import { recordedObjects } from '../../release/recorded-objects.js'
import type { Release } from '../../release/release.js'
import { maxObjects } from '../../render/manifest.js'
import type { ReleaseHook } from '../../render/release-hook.js'
import { RenderError } from '../../render/render-error.js'
import type { Chart, RenderedChart } from '../../render/renderer.js'
import { hookParts } from './hook-parts.js'

/** Renders what the chart makes now in place of a recorded revision. Repeated calls render once. */
export type RenderingNow = () => Promise<RenderedChart>

/** The intended state of a release: a rendered chart, and the values that it was rendered with. */
export interface WantedRelease {
  readonly values: JsonObject
  readonly rendered: RenderedChart
  /** The chart that was rendered; undefined for a recorded revision. */
  readonly chart?: Chart
  /** Renders what the chart makes now; only for a recorded revision that users may have edited. */
  readonly now?: RenderingNow
  /** Identifies the release; equal for equal objects and values. */
  readonly inputs: string
  /** The lookups of own objects that found nothing. */
  readonly absent: readonly string[]
  /** A sentence about random values that are drawn again; undefined if none are. */
  readonly renewal?: string | undefined
}

/** The parts of a {@link WantedRelease} that a recorded revision does not have. */
type WantedOptions = Partial<Pick<WantedRelease, 'absent' | 'renewal' | 'chart' | 'now'>>

/** Makes the intended state of a release. Throws `RenderError` if there are too many objects to record them. */
export function wantedRelease(
  values: JsonObject,
  rendered: RenderedChart,
  { absent = [], renewal, chart, now }: WantedOptions = {},
): WantedRelease {
  checkNumber('objects', rendered.objects)
  checkNumber('hooks', rendered.hooks)
  let inputs: string | undefined
  return {
    values,
    rendered,
    absent,
    renewal,
    ...(chart && { chart }),
    ...(now && { now }),
    // Computed on demand: a release that equals the goal does not need it.
    get inputs() {
      inputs ??= inputsOf(values, rendered)
      return inputs
    },
  }
}

function checkNumber(what: string, { length }: readonly unknown[]): void {
  if (length <= maxObjects) return
  const message = `the chart renders to ${length} ${what}, more than ${maxObjects}; divide it into several charts`
  throw new RenderError('RenderError', message)
}

/** A digest of the values, objects, hooks and versions of a rendered chart. */
function inputsOf(values: JsonObject, { objects, hooks, chart }: RenderedChart): string {
  const hookParts = hooks.map(({ manifest, events, weight = 0 }) => [manifest, events, weight])
  const parts = [values, objects.map(({ object }) => object), hookParts, versionsOf(chart.metadata)]
  return sha256Hex(stringifyJson(parts))
}

/** Whether a stored revision is of another version of a chart. */
export const hasOtherVersion = ({ chart }: Release, metadata: object): boolean =>
  !isEqual(versionsOf(chart.metadata), versionsOf({ ...metadata }))

const versionsOf = ({ name, version, appVersion }: JsonObject) => [name, version, appVersion ?? null]

/**
 * Whether a stored revision has these values. If not, it differs from the intended state, and no rendering is needed to
 * know that.
 */
export const hasValues = ({ config }: Release, values: JsonObject): boolean => isEqual(config, values)

/** Whether a stored revision equals the intended state, without comments and the order of keys in its manifest. */
export async function isInStep(release: Release, { values, rendered }: WantedRelease): Promise<boolean> {
  if (!hasValues(release, values)) return false
  if (!isEqual(versionsOf(release.chart.metadata), versionsOf(rendered.chart.metadata))) return false
  const stored = (await recordedObjects(release)).map(({ object }) => object)
  const wanted = rendered.objects.map(({ object }) => object)
  return isEqual(stored, wanted) && (await haveEqualHooks(release.hooks, rendered.hooks))
}

async function haveEqualHooks(
  stored: readonly ReleaseHook[],
  wanted: readonly ReleaseHook[],
): Promise<boolean> {
  if (stored.length !== wanted.length) return false
  const [storedParts, wantedParts] = await Promise.all([hookParts(stored), hookParts(wanted)])
  return isEqual(storedParts, wantedParts)
}
