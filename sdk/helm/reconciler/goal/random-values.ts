import isEqual from 'lodash/isEqual.js'
import { sleep } from '../../../engine/time/clock.js'
import { recordedObjects } from '../../release/recorded-objects.js'
import type { Release } from '../../release/release.js'
import { yamlOf } from '../../render/code/yaml-of.js'
import { objectsOf } from '../../render/manifest.js'
import { manifestOf } from '../../render/print-manifest.js'
import type { ReleaseHook } from '../../render/release-hook.js'
import type { RenderedChart, RenderedObject } from '../../render/renderer.js'
import type { ReleaseRun } from '../run/release-run.js'
import { Graft, type RandomLeaf } from './graft.js'
import { isRenewal, type Renews, renewalOf, renewalReasons, renewalSentence } from './random-renewal.js'

/** The time between two renderings, in milliseconds, so that they print different times. */
const nextSecondMs = 1_100

/** Options of {@link keepRandomValues}. */
export interface RandomValuesOptions {
  /** Renders the chart once more, with other random text in each attempt. */
  readonly again: (attempt: number) => Promise<RenderedChart>
  /** Renders the chart with the random text that replaces that of the recorded revision. */
  readonly fresh: () => Promise<RenderedChart>
  /** Whether the release is upgraded for another reason than its random text. */
  readonly isUpgrade: boolean
  /** Whether the annotation `renew` asks for other random text. */
  readonly isAsked: boolean
  /** Called with a sentence about fields that are drawn again. */
  readonly onRenewal: (sentence: string) => void
  /** The revision whose values are kept. */
  readonly stored: Release | undefined
  /** Whether the renderer gives equal text for equal seeds. */
  readonly repeats: boolean
}

/**
 * A rendered chart with recorded values in the fields in which two renderings differ, such as passwords. A helm program
 * makes new random values in each rendering, and a release of another program has other values. Without the recorded
 * values, each run would be an upgrade.
 */
export async function keepRandomValues(
  run: ReleaseRun,
  rendered: RenderedChart,
  options: RandomValuesOptions,
): Promise<RenderedChart> {
  const { stored, fresh, isUpgrade, isAsked, onRenewal } = options
  if (!stored) return rendered
  const recordedParts = { objects: await recordedObjects(stored), hooks: await readHooks(stored.hooks) }
  const reasons = await renewalReasons(run, stored, { objects: recordedParts.objects, isUpgrade, isAsked })
  const kept = await keepRecorded(run, rendered, {
    ...options,
    recordedParts,
    mustCompare: isRenewal(reasons),
  })
  const renews = renewalOf(reasons, kept.leaves, run.ctx.clock.date().getTime())
  if (renews) {
    const { chart, leaves } = await renewParts(run, await fresh(), { base: rendered, recordedParts, renews })
    onRenewal(renewalSentence(leaves, reasons))
    return chart
  }
  if (kept.paths.size === 0) return rendered
  reportRandom(run, kept.paths)
  return { ...rendered, ...(await printParts(rendered, kept.parts)) }
}

/** The parts of a rendering with the recorded values of random fields. */
async function keepRecorded(
  run: ReleaseRun,
  rendered: RenderedChart,
  options: Pick<RandomValuesOptions, 'again' | 'repeats'> & { recordedParts: Parts; mustCompare: boolean },
): Promise<{ parts: Parts; paths: Set<string>; leaves: RandomLeaf[] }> {
  const { again, repeats, recordedParts, mustCompare } = options
  const parts: Parts = { objects: rendered.objects, hooks: await readHooks(rendered.hooks) }
  const paths = new Set<string>()
  const leaves: RandomLeaf[] = []
  for (const [attempt, waitMs] of (repeats ? [0] : [0, nextSecondMs]).entries()) {
    if (isEqual(contentOf(parts), contentOf(recordedParts)) && !(mustCompare && attempt === 0)) break
    if (waitMs > 0) await sleep(run.ctx.clock, waitMs, run.ctx.signal)
    const redrawn = await again(attempt)
    const graft = new Graft(paths)
    parts.objects = graft.graftObjects(parts.objects, redrawn.objects, recordedParts.objects)
    leaves.push(...graft.leaves)
    parts.hooks = graft.graftObjects(parts.hooks, await readHooks(redrawn.hooks), recordedParts.hooks)
  }
  return { parts, paths, leaves }
}

/** A rendering with new values in some random fields, and the recorded ones in the others. */
async function renewParts(
  run: ReleaseRun,
  fresh: RenderedChart,
  { base, recordedParts, renews }: { base: RenderedChart; recordedParts: Parts; renews: Renews },
): Promise<{ chart: RenderedChart; leaves: readonly RandomLeaf[] }> {
  const paths = new Set<string>()
  const graft = new Graft(paths, renews)
  const objects = graft.graftObjects(fresh.objects, base.objects, recordedParts.objects)
  const [freshHooks, baseHooks] = await Promise.all([readHooks(fresh.hooks), readHooks(base.hooks)])
  const hooks = new Graft(paths).graftObjects(freshHooks, baseHooks, recordedParts.hooks)
  reportRandom(run, paths)
  return { chart: { ...fresh, ...(await printParts(fresh, { objects, hooks })) }, leaves: graft.renewed }
}

/** The objects of a chart, and the objects of its hooks. */
interface Parts {
  objects: readonly RenderedObject[]
  hooks: readonly RenderedObject[]
}

/** The object of each hook; a hook has one. */
async function readHooks(hooks: readonly ReleaseHook[]): Promise<RenderedObject[]> {
  const read = hooks.map(async ({ path, manifest }) =>
    (await objectsOf(manifest)).slice(0, 1).map(({ object }) => ({ source: path, object })),
  )
  return (await Promise.all(read)).flat()
}

const contentOf = (parts: Parts) =>
  [parts.objects, parts.hooks].map((list) => list.map(({ object }) => object))

/** A rendered chart with these objects and hooks, and the manifest for them. */
async function printParts(
  rendered: RenderedChart,
  { objects, hooks }: Parts,
): Promise<Pick<RenderedChart, 'manifest' | 'objects' | 'hooks'>> {
  const print = async (hook: ReleaseHook, index: number) => {
    const { object } = hooks[index] ?? {}
    return object ? { ...hook, name: object.metadata.name ?? '', manifest: await yamlOf(object) } : hook
  }
  return { objects, manifest: await manifestOf(objects), hooks: await Promise.all(rendered.hooks.map(print)) }
}

/** Reports in an Event, once for each release, which fields are random. */
function reportRandom({ ctx, release, reportedRandom }: ReleaseRun, paths: ReadonlySet<string>): void {
  const name = `${release.namespace}/${release.name}`
  if (paths.size === 0) return
  if (!reportedRandom || reportedRandom.has(name)) return
  reportedRandom.add(name)
  const message = `the chart of ${release.name} makes random values, which stay as they are recorded: ${[...paths].sort().join(', ')}`
  ctx.events.warning('RandomValues', message)
}
