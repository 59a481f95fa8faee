import { createHash } from 'node:crypto'
import { freezeJson, stringifyJson } from '../../engine/kube/json.js'
import { isFunctionChart } from '../chart/function-chart.js'
import { LeastRecent } from './least-recent.js'
import { rememberObjects } from './manifest.js'
import type { Chart, ChartRenderer, LookupQuery, RenderedChart, RenderRequest, Repeat } from './renderer.js'

/**
 * The size of all manifests that are kept, in characters. With their objects they need several times as much memory.
 */
const maxCharacters = 2 ** 23
/** The approximate size of the parts of a rendering other than its manifest, in characters. */
const otherCharacters = 4096

interface CachedRendering {
  readonly rendered: RenderedChart
  /** The lookups of the templates, with a hash of the answer that they got. */
  readonly lookups: readonly { readonly query: LookupQuery; readonly answer: string }[]
}

const renderings = new WeakMap<ChartRenderer, LeastRecent<CachedRendering>>()

/**
 * Renders a chart, or returns the earlier rendering of an equal request if `lookup` still answers the same: a rendering
 * with the same seed, a variant with the same seed, or a rendering of a chart in which nothing is random. The objects
 * are frozen. A renderer without `mayReuse` renders each time, and so do charts in code.
 */
export async function reuseRendering(
  renderer: ChartRenderer,
  request: RenderRequest,
  signal: AbortSignal,
): Promise<RenderedChart> {
  if (!renderer.mayReuse || isFunctionChart(request.chart)) return renderer.render(request, signal)
  const kept = renderings.get(renderer) ?? new LeastRecent<CachedRendering>(maxCharacters)
  renderings.set(renderer, kept)
  const keys = [keyOf(request), keyOf({ ...request, repeat: undefined })]
  for (const key of new Set(keys)) {
    const keptRendering = kept.get(key)
    if (keptRendering && (await hasSameAnswers(keptRendering, request, signal))) {
      rememberAll(keptRendering.rendered)
      return keptRendering.rendered
    }
    kept.delete(key)
  }
  const rendering = await renderAndNote(renderer, request, signal)
  keepRendering(kept, request, rendering)
  return rendering.rendered
}

/** Caches a rendering and its variants, each under its seed; a rendering without random text gets no seed. */
function keepRendering(
  kept: LeastRecent<CachedRendering>,
  { variants: repeats = [], ...request }: RenderRequest,
  { rendered: { variants = [], ...rendered }, lookups }: CachedRendering,
): void {
  const set = (repeat: Repeat | undefined, rendered: RenderedChart) =>
    kept.set(keyOf({ ...request, repeat }), { rendered, lookups }, rendered.manifest.length + otherCharacters)
  const isRandom = rendered.isRandom !== false
  for (const [index, variant] of variants.entries()) set(repeats[index], variant)
  set(isRandom ? request.repeat : undefined, rendered)
}

async function renderAndNote(
  renderer: ChartRenderer,
  request: RenderRequest,
  signal: AbortSignal,
): Promise<CachedRendering> {
  const lookups: { query: LookupQuery; answer: string }[] = []
  const { lookup } = request
  const noted =
    lookup &&
    (async (query: LookupQuery, signal: AbortSignal) => {
      const answer = await lookup(query, signal)
      lookups.push({ query, answer: hashOf(answer) })
      return answer
    })
  const rendered = await renderer.render({ ...request, ...(noted && { lookup: noted }) }, signal)
  for (const one of [...(rendered.variants ?? []), rendered]) {
    freezeJson(one.objects)
    rememberAll(one)
  }
  return { rendered, lookups }
}

/** Caches the objects of a manifest, because the record of a release has the same text and need not be parsed. */
function rememberAll({ manifest, objects }: RenderedChart): void {
  rememberObjects(manifest, objects)
}

async function hasSameAnswers(
  { lookups }: CachedRendering,
  { lookup }: RenderRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const answers = await Promise.all(lookups.map(async ({ query }) => hashOf(await lookup?.(query, signal))))
  return lookups.every(({ answer }, index) => answer === answers[index])
}

type KeyParts = Omit<RenderRequest, 'repeat' | 'variants'> & { readonly repeat?: Repeat | undefined }

/** The cache key of a rendering: everything that it depends on, except the answers of `lookup`. */
function keyOf({ chart, values, release, capabilities, repeat, skipCrds = false }: KeyParts): string {
  const { name, namespace, revision, isInstall } = release
  const options = [capabilities, repeat ?? null, skipCrds]
  return hashOf([numberOf(chart), values, name, namespace, revision, isInstall, ...options])
}

const hashOf = (value: unknown) =>
  createHash('sha256')
    .update(stringifyJson(value ?? null))
    .digest('base64')

const numbers = new WeakMap<Chart, number>()
let charts = 0

/** Identifies a loaded chart; the same chart gets another number when it is loaded again. */
function numberOf(chart: Chart): number {
  const chartNumber = numbers.get(chart) ?? ++charts
  numbers.set(chart, chartNumber)
  return chartNumber
}
