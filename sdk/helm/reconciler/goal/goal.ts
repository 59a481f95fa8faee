import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import type { DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import { cloneJson } from '../../../engine/kube/json.js'
import type { JsonObject } from '../../chart/json-object.js'
import { byNumber, deployedOf } from '../../release/history.js'
import { rolledBackTo, type StoredRelease } from '../../release/stored-release.js'
import { checkAddressable } from '../../render/check-addressable.js'
import { RenderError } from '../../render/render-error.js'
import type { Chart, ChartRenderer, RenderedChart, RenderRequest, Repeat } from '../../render/renderer.js'
import { reuseRendering } from '../../render/reuse-rendering.js'
import { runCodeHooks } from '../options/code-hooks.js'
import { modifierOf } from '../options/modify-objects.js'
import { releaseValues } from '../options/release-values.js'
import type { HelmResource } from '../options/values-context.js'
import { IrreconcilableError } from '../problem/problem.js'
import { refuseDoubtful, reportDoubtful } from '../run/doubtful-values.js'
import { noteFailedSecrets } from '../run/failed-secrets.js'
import { noteSecrets } from '../run/note-secrets.js'
import { needsSeed, otherRepeat, renewedRepeat } from '../run/random-seed.js'
import type { ReconcileRun, ReleaseRun } from '../run/release-run.js'
import { wasDeployed } from '../run/revision-status.js'
import { checkAllowed } from './check-allowed.js'
import { isRenewalAsked } from './random-renewal.js'
import { keepRandomValues } from './random-values.js'
import { recordedRelease } from './recorded-release.js'
import type { RenderForRevision } from './rendering-now.js'
import { RevisionLookup, recordOf } from './revision-lookup.js'
import { hasOtherVersion, hasValues, type WantedRelease, wantedRelease } from './wanted-release.js'

/** The revisions whose Secrets a failed rendering may quote: the deployed one, and one that failed after it. */
const maxQuoted = 2

/** The intended state of a release in one run. The rendered chart can depend on the number of the revision. */
export interface Goal {
  readonly values: JsonObject
  /** The revision that a user asks to go back to. */
  readonly to?: number
  /**
   * Returns the intended release for a revision with this number. Rejects with {@link IrreconcilableError} if the
   * policy refuses it.
   */
  readonly releaseFor: RenderForRevision
  /** Renders the chart for the object, also if the intended state is an earlier revision. */
  readonly renderNow: RenderForRevision
}

/** Options of {@link goalOf}. */
export interface GoalOptions {
  readonly resource: DeepReadonly<HelmResource>
  readonly renderer: ChartRenderer
  readonly revisions: readonly StoredRelease[]
}

/** Finds the intended state: an earlier revision, or the rendered chart. Returns a result if a hook returns one. */
export async function goalOf(
  run: ReconcileRun,
  options: GoalOptions,
): Promise<Goal | { result: ReconcileResult }> {
  const { rollbackTo } = run.annotations
  if (rollbackTo !== undefined) return recordedGoal(run, options, rollbackTo)
  const context = { resource: options.resource, ctx: run.ctx }
  const values = cloneJson(await releaseValues(run.options, context))
  const hooks = { name: 'preHooks', hooks: run.options.preHooks, context: { ...context, values } }
  const result = await runCodeHooks(hooks)
  if (result) return { result }
  refuseDoubtful(run, { chart: run.options.chart, values })
  return renderedGoal(run, options, values)
}

/** The goal of the chart of the kind, rendered for the object. */
function renderedGoal(
  run: ReconcileRun,
  { resource, renderer, revisions }: GoalOptions,
  values: JsonObject,
): Goal {
  const releaseFor: RenderForRevision = async (revision, isInstall) => {
    const { chart } = run.options
    const modify = modifierOf(run.options, { resource, ctx: run.ctx })
    const wanted = await rendered(run, renderer, {
      chart,
      values,
      revision,
      isInstall,
      recorded: async () => byNumber(revisions),
      ...(modify && { modify }),
    })
    await checkAllowed(run, wanted)
    return wanted
  }
  return { values, releaseFor, renderNow: releaseFor }
}

/**
 * The goal of a rollback to a revision. If that revision was pruned after the rollback, the deployed revision has the
 * same content.
 */
async function recordedGoal(run: ReconcileRun, options: GoalOptions, to: number): Promise<Goal> {
  const { revisions } = options
  const deployed = deployedOf(revisions)
  const isRolledBack = deployed !== undefined && rolledBackTo(deployed) === to
  const revision = revisions.find((candidate) => candidate.release.version === to && wasDeployed(candidate))
  const stored = revision ?? (isRolledBack ? deployed : undefined)
  if (!stored)
    throw new IrreconcilableError(
      'UnknownRevision',
      `the release ${run.release.name} has no revision ${to} that was deployed; correct the annotation for rollback-to, or remove it`,
    )
  const renderNow = chartNow(run, { ...options, renderer: async () => options.renderer })
  const wanted = await recordedRelease(run, stored, { revisions, renderNow })
  await noteSecrets(run, wanted.rendered)
  return {
    values: stored.release.config,
    to,
    renderNow,
    releaseFor: async () => {
      await checkAllowed(run, wanted)
      return wanted
    },
  }
}

/** Options of {@link chartNow}. */
export type ChartNowOptions = Omit<GoalOptions, 'renderer'> & {
  readonly renderer: () => Promise<ChartRenderer>
}

/** Renders the chart of the kind for the object as it is now. `preHooks` do not run. */
export const chartNow =
  (run: ReconcileRun, { renderer, ...options }: ChartNowOptions): RenderForRevision =>
  async (version, isInstall) => {
    const { resource } = options
    const values = cloneJson(await releaseValues(run.options, { resource, ctx: run.ctx }))
    return renderedGoal(run, { ...options, renderer: await renderer() }, values).releaseFor(
      version,
      isInstall,
    )
  }

/** A chart to render, with its values and revision. */
export interface Rendering {
  readonly chart: Chart
  readonly values: JsonObject
  readonly revision: number
  readonly isInstall: boolean
  /** Changes the rendered chart; default not. */
  readonly modify?: (chart: RenderedChart) => Promise<RenderedChart>
  /** All revisions, oldest first. */
  readonly recorded: () => Promise<readonly StoredRelease[]>
}

/** Renders a chart as a release sees it: the intended state of its next revision. */
export async function rendered(
  run: ReleaseRun,
  renderer: ChartRenderer,
  rendering: Rendering,
): Promise<WantedRelease> {
  const startedMs = run.ctx.clock.now()
  const continuedRevision = recordOf(await rendering.recorded(), rendering)
  const lookup = new RevisionLookup(run.lookup, continuedRevision)
  const request = { ...(await requestOf(run, rendering)), lookup: lookup.lookup }
  try {
    let renewal: string | undefined
    const onRenewal = (sentence: string) => {
      renewal = sentence
    }
    const chart = await renderWithSeed(run, renderer, { ...rendering, request, onRenewal })
    const absent = await lookup.findAbsent(chart, run.release.namespace)
    return wantedRelease(rendering.values, chart, { absent, renewal, chart: rendering.chart })
  } catch (error) {
    // A template that fails may quote a password that an earlier revision has, or that none has yet.
    for (const { release } of (await rendering.recorded()).slice(-maxQuoted)) await noteSecrets(run, release)
    const tookMs = run.ctx.clock.now() - startedMs
    const note = (chart: RenderedChart) => noteSecrets(run, chart)
    await noteFailedSecrets(run, { renderer, request, error, tookMs, note })
    // Doubtful values may be the cause.
    if (error instanceof RenderError) reportDoubtful(run, rendering)
    throw error
  }
}

/** The request to the renderer, with what the templates see of the cluster and of the release. */
async function requestOf(
  { release, kinds, owner, options }: ReleaseRun,
  { chart, values, revision, isInstall }: Rendering,
): Promise<RenderRequest> {
  return {
    chart,
    values,
    capabilities: await kinds.capabilities(),
    release: { ...release, revision, isInstall },
    tenant: owner.key.namespace || owner.key.name,
    skipCrds: options.crds === 'skip',
  }
}

/** A rendering with its request; `onRenewal` is called if random values are drawn again. */
type SeededRendering = Rendering & {
  readonly request: RenderRequest
  readonly onRenewal: (sentence: string) => void
}

/** Renders a chart. A chart with random text is rendered with the seed of its release, and keeps recorded values. */
async function renderWithSeed(
  run: ReleaseRun,
  renderer: ChartRenderer,
  rendering: SeededRendering,
): Promise<RenderedChart> {
  const { chart, values, revision, recorded, onRenewal } = rendering
  const render = renderingOf(run, renderer, rendering)
  if (!needsSeed(chart, values)) return render()
  const repeat = await run.seed.repeat()
  const isBefore = (candidate: StoredRelease) => candidate.release.version <= revision
  const stored = (await recorded()).findLast(isBefore)?.release
  const nowMs = run.ctx.clock.date().getTime()
  const isUpgrade =
    stored !== undefined && (!hasValues(stored, values) || hasOtherVersion(stored, chart.metadata))
  const isAsked = stored !== undefined && isRenewalAsked(run, await recorded())
  const renewedAs = renewedRepeat(repeat, stored?.version ?? 0, nowMs)
  const options = {
    stored,
    isAsked,
    isUpgrade,
    onRenewal,
    repeats: renderer.repeatsRandom !== false,
    again: (attempt: number) => render(otherRepeat(repeat, attempt)),
    fresh: () => render(renewedAs),
  }
  // The renderings that will be compared with this one.
  const compared = [otherRepeat(repeat), ...(isAsked ? [renewedAs] : [])]
  const variants = isUpgrade || isAsked ? compared : undefined
  return keepRandomValues(run, await render(repeat, variants), options)
}

/** Returns a function that renders the chart with random text from seeds, and notes its Secrets before any check. */
const renderingOf =
  (run: ReleaseRun, renderer: ChartRenderer, { request, modify }: SeededRendering) =>
  async (repeat?: Repeat, variants?: readonly Repeat[]): Promise<RenderedChart> => {
    const seeds = { ...(repeat && { repeat }), ...(variants && { variants }) }
    const chart = await reuseRendering(renderer, { ...request, ...seeds }, run.ctx.signal)
    await noteSecrets(run, chart)
    await checkAddressable(chart)
    return modify ? modify(chart) : chart
  }
