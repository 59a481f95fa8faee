import isEqual from 'lodash/isEqual.js'
import { sleep } from '../../time/clock.js'
import type { Release } from '../release/release.js'
import { yamlOf } from '../render/code/yaml-of.js'
import { objectsOf } from '../render/manifest.js'
import { manifestOf } from '../render/print-manifest.js'
import type { ReleaseHook } from '../render/release-hook.js'
import type { RenderedChart, RenderedObject } from '../render/renderer.js'
import { Graft } from './graft.js'
import type { ReleaseRun } from './release-run.js'

/** Two renderings of one second print equal times. */
const nextSecondMs = 1_100

/** Options of {@link keepRandomValues}. */
export interface RandomValuesOptions {
  /** Renders the chart once more, with other random text. */
  readonly again: () => Promise<RenderedChart>
  /** The revision whose values are kept. */
  readonly stored: Release | undefined
  /** Whether the renderer gives equal text for equal seeds. */
  readonly repeats: boolean
}

/**
 * A rendered chart with the recorded values of the fields in which two renderings differ, such as passwords: a release of another
 * program has other ones, and a helm program makes new ones each time. Without it, each run would be an upgrade.
 */
export async function keepRandomValues(
  run: ReleaseRun,
  rendered: RenderedChart,
  { again, stored, repeats }: RandomValuesOptions,
): Promise<RenderedChart> {
  if (!stored) return rendered
  const known = { objects: await objectsOf(stored.manifest), hooks: await readHooks(stored.hooks) }
  const now: Parts = { objects: rendered.objects, hooks: await readHooks(rendered.hooks) }
  const paths = new Set<string>()
  for (const waitMs of repeats ? [0] : [0, nextSecondMs]) {
    if (isEqual(contentOf(now), contentOf(known))) break
    if (waitMs > 0) await sleep(run.ctx.clock, waitMs, run.ctx.signal)
    const other = await again()
    const graft = new Graft(paths)
    now.objects = graft.objects(now.objects, other.objects, known.objects)
    now.hooks = graft.objects(now.hooks, await readHooks(other.hooks), known.hooks)
  }
  if (paths.size === 0) return rendered
  report(run, paths)
  return { ...rendered, ...(await printed(rendered, now)) }
}

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

async function printed(
  rendered: RenderedChart,
  { objects, hooks }: Parts,
): Promise<Pick<RenderedChart, 'manifest' | 'objects' | 'hooks'>> {
  const print = async (hook: ReleaseHook, at: number) => {
    const { object } = hooks[at] ?? {}
    return object ? { ...hook, name: object.metadata.name ?? '', manifest: await yamlOf(object) } : hook
  }
  return { objects, manifest: await manifestOf(objects), hooks: await Promise.all(rendered.hooks.map(print)) }
}

function report({ ctx, release, toldRandom }: ReleaseRun, paths: ReadonlySet<string>): void {
  const name = `${release.namespace}/${release.name}`
  if (!toldRandom || toldRandom.has(name)) return
  toldRandom.add(name)
  const message = `the chart of ${release.name} makes random values, which stay as they are recorded: ${[...paths].sort().join(', ')}`
  ctx.events.warning('RandomValues', message)
}
