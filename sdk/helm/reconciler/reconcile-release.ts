import type { ReconcileResult } from '../../controller/reconcile-result.js'
import type { DeepReadonly } from '../../kube/deep-readonly.js'
import { ReleaseTooLargeError } from '../release/fit-release.js'
import { latestOf } from '../release/history.js'
import type { StoredRelease } from '../release/stored-release.js'
import { RenderError } from '../render/render-error.js'
import type { ChartRenderer } from '../render/renderer.js'
import { isInstallAt, isPending, nextRevision } from './begin-revision.js'
import { checkAllowed } from './check-allowed.js'
import { deploy } from './deploy.js'
import { adopt, correctDrift } from './in-step.js'
import type { HelmResource } from './options.js'
import { IrreconcilableError, OperationError } from './problem.js'
import { needsSeed, randomSeed } from './random-seed.js'
import { marked, placed, type ReleaseObject } from './release-object.js'
import type { ReleaseRun } from './release-run.js'
import { releaseValues } from './release-values.js'
import { isInStep, type WantedRelease, wantedRelease } from './wanted-release.js'

/** How long a hook, a definition or another program is waited for before the next look, in milliseconds. */
const lookAgainMs = 1_000

/** The end of a run: the objects of the release if it is deployed. */
export interface Reconciled {
  readonly result: ReconcileResult | undefined
  readonly objects: readonly ReleaseObject[] | undefined
}

/** Makes the release of an object as it is wanted. */
export async function reconcileRelease(
  run: ReleaseRun,
  resource: DeepReadonly<HelmResource>,
  renderer: ChartRenderer,
): Promise<Reconciled> {
  try {
    return await reconcileNow(run, resource, renderer)
  } catch (error) {
    report(run, error)
    throw asIrreconcilable(error)
  }
}

async function reconcileNow(
  run: ReleaseRun,
  resource: DeepReadonly<HelmResource>,
  renderer: ChartRenderer,
): Promise<Reconciled> {
  let revisions = await run.store.revisions(run.release.namespace, run.release.name, run.ctx.signal)
  const latest = latestOf(revisions)
  checkHolder(run, latest)
  const waitMs = foreignOperationMs(run, latest)
  if (waitMs > 0) return waitForOther(run, waitMs)
  if (latest && isPending(latest) && !latest.written) revisions = await interrupt(run, revisions, latest)
  const values = await releaseValues(run.options, { resource, ctx: run.ctx })
  const render = async (version: number, isInstall: boolean) => {
    const wanted = await wantedAt(run, renderer, { values, revision: version, isInstall })
    await checkAllowed(run, wanted)
    return wanted
  }
  if (latest?.release.info.status === 'deployed') {
    const { version } = latest.release
    const wanted = await render(version, isInstallAt(revisions, version))
    if (await isInStep(latest.release, wanted)) return inStep(run, latest, wanted)
  }
  const next = nextRevision(revisions)
  const wanted = await render(next.version, next.isInstall)
  const now = nextRevision(revisions, wanted.inputs)
  const isOther = now.version !== next.version
  return change(run, {
    revisions,
    next: now,
    wanted: isOther ? await render(now.version, now.isInstall) : wanted,
  })
}

async function wantedAt(
  { options, release, kinds, lookup, ctx }: ReleaseRun,
  renderer: ChartRenderer,
  { values, revision, isInstall }: { values: WantedRelease['values']; revision: number; isInstall: boolean },
): Promise<WantedRelease> {
  const { chart } = options
  const repeat = needsSeed(chart, values) ? await randomSeed(ctx.client, release) : undefined
  const capabilities = await kinds.capabilities()
  const request = { chart, values, release: { ...release, revision, isInstall }, capabilities, lookup }
  const rendered = await renderer.render({ ...request, ...(repeat && { repeat }) }, ctx.signal)
  return wantedRelease(values, rendered)
}

async function change(run: ReleaseRun, work: Parameters<typeof deploy>[1]): Promise<Reconciled> {
  const { ctx, release } = run
  const { isInstall } = work.next
  const latest = latestOf(work.revisions)
  if (latest?.owner === run.owner.uid && !latest.written && !isPending(latest))
    ctx.events.warning(
      'ForeignRevision',
      `revision ${latest.release.version} of ${release.name} is of another program: ${latest.release.info.description ?? ''}`,
    )
  const deployed = await deploy(run, work)
  if (!deployed) {
    ctx.condition('Progressing', true, isInstall ? 'Installing' : 'Upgrading')
    return { result: { requeueAfterMs: lookAgainMs }, objects: undefined }
  }
  const verb = isInstall ? 'Installed' : 'Upgraded'
  ctx.events.normal(verb, `revision ${deployed.release.version} of the release ${release.name} is deployed`)
  const objects = await placed(work.wanted.rendered.objects, run.kinds, release.namespace)
  return tell(
    run,
    deployed,
    objects.map((one) => marked(one, run)),
  )
}

async function inStep(run: ReleaseRun, latest: StoredRelease, wanted: WantedRelease): Promise<Reconciled> {
  const deployed = await adopt(run, latest)
  return tell(run, deployed, await correctDrift(run, wanted))
}

/** Says in the status what is deployed. */
function tell(run: ReleaseRun, { release }: StoredRelease, objects: readonly ReleaseObject[]): Reconciled {
  const { ctx } = run
  const { name, namespace, version, chart } = release
  const { name: chartName, version: chartVersion, appVersion } = chart.metadata
  ctx.status.deployedRelease = {
    ...{ name, namespace, revision: version, chart: `${String(chartName)}-${String(chartVersion)}` },
    ...(appVersion !== undefined && { appVersion }),
    resources: objects.length,
  }
  const isInstall = ['Install complete', run.annotations.installDescription].includes(
    release.info.description,
  )
  ctx.condition(
    'Deployed',
    true,
    isInstall ? 'InstallSuccessful' : 'UpgradeSuccessful',
    `revision ${version}`,
  )
  ctx.condition('ReleaseFailed', false, 'Deployed')
  ctx.condition('Irreconcilable', false, 'Reconciled')
  ctx.condition('Progressing', false, 'Deployed')
  return { result: undefined, objects }
}

function checkHolder({ options, owner, release }: ReleaseRun, latest: StoredRelease | undefined): void {
  if (!latest || latest.owner === owner.uid) return
  const { adopt = 'same-chart', chart } = options
  const other = String(latest.release.chart.metadata.name)
  if (
    latest.owner === undefined &&
    adopt !== 'never' &&
    (adopt === 'always' || other === chart.metadata.name)
  )
    return
  const holder =
    latest.owner === undefined
      ? `another program, with the chart ${other}`
      : `the object with the UID ${latest.owner}`
  throw new IrreconcilableError(
    'ReleaseNameTaken',
    `the release ${release.name} in ${release.namespace} belongs to ${holder}; uninstall it, or use another name`,
  )
}

/** For how long an operation of another program is left alone, in milliseconds. */
function foreignOperationMs({ ctx, options }: ReleaseRun, latest: StoredRelease | undefined): number {
  if (!latest || latest.written) return 0
  const { status, last_deployed = '', deleted } = latest.release.info
  if (!isPending(latest) && status !== 'uninstalling') return 0
  const begunMs = Date.parse(deleted || last_deployed) || 0
  return begunMs + (options.pendingGraceMs ?? 300_000) - ctx.clock.date().getTime()
}

function waitForOther({ ctx, release }: ReleaseRun, leftMs: number): Reconciled {
  const message = `another program works on the release ${release.name}; it is left alone until that has ended`
  ctx.condition('Irreconcilable', true, 'OperationInProgress', message)
  return { result: { requeueAfterMs: Math.min(leftMs, lookAgainMs) }, objects: undefined }
}

async function interrupt(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  latest: StoredRelease,
): Promise<StoredRelease[]> {
  const { release } = latest
  const info = { ...release.info, status: 'failed', description: 'interrupted' } as const
  const failed = await run.store.update({ ...latest, release: { ...release, info } }, run.ctx.signal)
  return revisions.map((one) => (one === latest ? failed : one))
}

/** Writes the conditions and the Event of an error. */
function report({ ctx, release }: ReleaseRun, error: unknown): void {
  const problem = asIrreconcilable(error)
  if (problem instanceof IrreconcilableError) {
    ctx.condition('Irreconcilable', true, problem.reason, problem.message)
    return
  }
  if (!(error instanceof OperationError)) return
  const hasDeployed = ctx.status.deployedRelease !== undefined
  ctx.condition('ReleaseFailed', true, hasDeployed ? 'UpgradeError' : 'InstallError', error.message)
  ctx.condition('Progressing', false, 'Failed')
  ctx.events.warning(hasDeployed ? 'UpgradeFailed' : 'InstallFailed', `${release.name}: ${error.message}`)
}

function asIrreconcilable(error: unknown): unknown {
  if (error instanceof RenderError)
    return new IrreconcilableError(error.reason, error.message, { cause: error })
  if (error instanceof ReleaseTooLargeError)
    return new IrreconcilableError('ReleaseTooLarge', error.message, { cause: error })
  return error
}
