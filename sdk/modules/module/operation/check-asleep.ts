// Checks the workloads of a Module that sleeps. Only the condition Degraded stores the result.
import type { KubeObject } from '../../../engine/kube/object.js'
import { moduleLabel } from '../../manager/client-cluster.js'
import type { WorkloadName } from '../../manager/scaling.js'
import { sleepNote } from '../../sleep/sleeping-workload.js'
import { moduleCluster } from '../call/module-programs.js'
import { awakeSleepers, sleepersOf } from '../call/sleepers.js'
import type { ModuleOfRun } from '../connection/target-cluster.js'
import { containerKind, type FrozenDefinition, helmKind } from '../definition/definition.js'
import type { SleepVerdict } from '../record/idle-memory.js'

/** The interval of these checks, in milliseconds. */
const intervalMs = 300_000

/**
 * Whether somebody woke workloads of a Module that sleeps, by a check in the last five minutes. Undefined if the Module
 * has no recorded workloads, or is a container.
 */
export async function checkIsAsleep(
  run: ModuleOfRun,
  frozen: FrozenDefinition | undefined,
): Promise<SleepVerdict | undefined> {
  const { module, environment, ctx } = run
  const { uid = '', annotations } = module.metadata
  const names = sleepersOf(annotations)
  if (!frozen || frozen.kind === containerKind || names.length === 0) return undefined
  const lastVerdict = environment.sleepVerdicts.get(uid)
  if (lastVerdict && ctx.clock.now() < lastVerdict.dueMs) return lastVerdict
  const verdict = { awake: await findAwake(run, frozen, names), dueMs: ctx.clock.now() + intervalMs }
  environment.sleepVerdicts.set(uid, verdict)
  return verdict
}

/** The awake workloads, as a sentence; undefined if there are none, or if the check fails. */
async function findAwake(
  run: ModuleOfRun,
  frozen: FrozenDefinition,
  names: readonly WorkloadName[],
): Promise<string | undefined> {
  const { ctx, module, environment } = run
  const { uid, namespace = '' } = module.metadata
  const isHelm = frozen.kind === helmKind
  const limit = isHelm
    ? environment.helm?.namespaceOf(namespace, frozen.cluster === environment.cluster.name)
    : undefined
  const isOwn = (live: KubeObject) =>
    live.metadata.labels?.[moduleLabel] === uid || (isHelm && sleepNote(live) !== undefined)
  const mayRead = (workload: WorkloadName) => limit === undefined || workload.namespace === limit
  try {
    const cluster = await moduleCluster(frozen, run)
    return await awakeSleepers(names.filter(mayRead), { cluster, signal: ctx.signal, isOwn })
  } catch (error) {
    if (environment.stop.aborted || ctx.signal.aborted) throw error
    ctx.logger.warn({ error }, 'the workloads of a Module that sleeps cannot be looked at')
    return undefined
  }
}
