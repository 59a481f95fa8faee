/**
 * Handles a Module whose phase needs no operation: decides whether to upgrade it, and checks whether it works. The
 * condition Degraded reports a change that cannot be carried out, and the Module stays as it is.
 */
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { requeue } from '../../../operator/controller/definition.js'
import type { ModulePhase } from '../../kinds/module.js'
import { workspaces } from '../../kinds/workspace-kind.js'
import { checkHelm, openManager, readerOf, secretTextsOf } from '../call/module-programs.js'
import { isOutOfReach } from '../call/wants-sleep.js'
import type { ModuleOfRun } from '../connection/target-cluster.js'
import { type FrozenDefinition, frozenDefinition } from '../definition/definition.js'
import { changeOf, type ModuleChange, upgradeTarget, wantedDefinition } from '../installation/upgrade.js'
import { attemptFailure } from '../record/failure.js'
import type { CheckVerdict, RefusedChange } from '../record/idle-memory.js'
import { type AttemptFailure, retryAnnotation } from '../record/operation-record.js'
import { checkIsAsleep } from './check-asleep.js'
import { checkIsReady } from './check-module.js'
import { revisionsOf } from './named-config-maps.js'

/** The time until the next attempt to prepare an upgrade, in milliseconds. */
const recheckMs = 300_000

/** The refusal of a change of a Module whose manager has no method `upgrade`. */
const immutableRefusal = {
  reason: 'Immutable',
  message:
    'source, helm, custom and config cannot change after the installation: set them back, or create another Module',
}

/** Handles an idle Module. Returns the target if an upgrade should begin. */
export async function checkIdle(
  run: ModuleOfRun,
  phase: ModulePhase,
): Promise<ReconcileResult | { readonly upgradeTo: string } | undefined> {
  const { ctx, module, environment } = run
  const isReachable = !isOutOfReach(environment.cluster.store(workspaces).get(module.spec.workspace))
  const isReady = phase === 'ready' && isReachable
  const frozen = await frozenDefinition(module.metadata)
  const change = changeOf(module, frozen)
  let refusal: Pick<RefusedChange, 'reason' | 'message'> | undefined
  let dueMs = Number.POSITIVE_INFINITY
  if (frozen && change && isReady) {
    const found = await refusalOf(run, frozen, change)
    if (!found) return { upgradeTo: upgradeTarget(module, frozen) }
    dueMs = found.untilMs
    // A digest that was accepted counts at the next operation.
    refusal = !change.isSpecChanged && found.reason === immutableRefusal.reason ? undefined : found
  } else if (change?.isSpecChanged && !hasUpgrade(run)) refusal = immutableRefusal
  const readiness = isReady ? await checkIsReady(run) : undefined
  if (readiness === 'interrupted') return { requeueAfterMs: 1 }
  const asleep = phase === 'sleeped' && isReachable ? await checkIsAsleep(run, frozen) : undefined
  reportPhase(run, phase, readiness)
  if (refusal) reportRefusal(run, refusal)
  else if (asleep?.awake) reportRefusal(run, awakeRefusal(asleep.awake))
  else if (change?.isSpecChanged)
    ctx.status.message = 'the change of the Module is carried out after it has woken'
  for (const remembered of [readiness, asleep]) dueMs = Math.min(dueMs, remembered?.dueMs ?? dueMs)
  const afterMs = dueMs - ctx.clock.now()
  return Number.isFinite(afterMs) ? requeue({ afterMs: Math.max(afterMs, 1), exact: true }) : undefined
}

/** Writes the status of a Module that needs no operation. */
export function reportPhase(
  { ctx }: Pick<ModuleOfRun, 'ctx'>,
  phase: ModulePhase,
  readiness?: CheckVerdict,
): void {
  ctx.status.message = undefined
  const defaultReason = phase === 'ready' ? 'Installed' : 'Sleeping'
  const { isReady, reason = defaultReason, message = '' } = readiness ?? { isReady: phase === 'ready' }
  ctx.condition('Ready', isReady, reason, message)
  ctx.condition('Progressing', false, 'AsWanted')
  ctx.condition('Degraded', false, 'AsExpected')
}

/** Reports in the status why a change is not carried out. */
function reportRefusal(
  { ctx }: ModuleOfRun,
  { reason, message }: Pick<RefusedChange, 'reason' | 'message'>,
): void {
  ctx.condition('Degraded', true, reason, message)
  ctx.status.message = message
}

const awakeRefusal = (awake: string) => ({
  reason: 'AwakeWorkloads',
  message: `the Module sleeps, but ${awake}; scale it down again, or set hibernated to false`,
})

const hasUpgrade = ({ module }: ModuleOfRun) => module.status?.program?.methods?.includes('upgrade') === true

/**
 * Returns why a change cannot be carried out; undefined if an upgrade can begin. The result is remembered for the same
 * change.
 */
async function refusalOf(
  run: ModuleOfRun,
  frozen: FrozenDefinition,
  change: ModuleChange,
): Promise<RefusedChange | undefined> {
  const { module, environment, ctx } = run
  const { uid = '', annotations = {} } = module.metadata
  const inputs = revisionsOf(module, environment.configMaps)
  const changeId = JSON.stringify([upgradeTarget(module, frozen), inputs, annotations[retryAnnotation]])
  const remembered = environment.refusals.get(uid)
  if (remembered?.of === changeId && ctx.clock.now() < remembered.untilMs) return remembered
  const refused = await prepareUpgrade(run, frozen, change)
  if (!refused) {
    environment.refusals.delete(uid)
    return undefined
  }
  const untilMs = refused.isPermanent ? Number.POSITIVE_INFINITY : ctx.clock.now() + recheckMs
  const refusal = { ...refused, of: changeId, untilMs }
  environment.refusals.set(uid, refusal)
  return refusal
}

/** Makes all checks before the call of an upgrade, so that only upgrades that can succeed begin. */
async function prepareUpgrade(
  run: ModuleOfRun,
  frozen: FrozenDefinition,
  change: ModuleChange,
): Promise<AttemptFailure | undefined> {
  const { module, environment, ctx } = run
  const isNotUpgradable = { ...immutableRefusal, isPermanent: true }
  const definitions = [frozen]
  try {
    const wanted = await wantedDefinition(module, frozen, {
      programs: environment.programs,
      reader: readerOf(run),
      checkHelm: (spec, values) => checkHelm({ spec, values }, run, frozen.cluster),
    })
    definitions.push(wanted)
    const session = await openManager(wanted, run)
    await session.close()
    return session.methods.includes('upgrade') ? undefined : isNotUpgradable
  } catch (error) {
    if (environment.stop.aborted || ctx.signal.aborted) throw error
    if (!hasUpgrade(run)) return isNotUpgradable
    const failure = attemptFailure(error, 'upgrade', secretTextsOf(definitions))
    ctx.logger.warn({ error: failure.message, change }, 'the change of a Module cannot be carried out')
    return failure
  }
}
