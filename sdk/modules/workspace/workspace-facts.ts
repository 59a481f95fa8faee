import { type FactView, fact, type ObjectFacts } from '../../engine/inspector/fact-view.js'
import type { OwnedNode } from '../../engine/inspector/owned-node.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Module } from '../kinds/module.js'
import type { AutoHibernation, Workspace, WorkspaceStatus } from '../kinds/workspace.js'
import type { HibernationSchedules } from '../schedule/due-state.js'
import { schedulesOf } from './auto-hibernation.js'
import { countModules, moduleNames } from './workspace-modules.js'

/** The maximum number of Modules that are named. */
const maxNames = 12

/** The facts about a Workspace that `why` and the inspector show. */
export function workspaceFacts(
  object: KubeObject,
  { modules, now }: { readonly modules: readonly Module[]; readonly now: Date },
): ObjectFacts {
  const { spec, status = {} } = object as Workspace
  const { phase = 'not known yet', lastActivity, vcluster, fork } = status
  const rows: FactView[] = [
    fact('phase', lastActivity === undefined ? phase : `${phase} since ${lastActivity}`),
    fact('modules', ...moduleTexts(modules)),
    ...scheduleFacts(spec.autoHibernation, now),
    ...(vcluster === undefined ? [] : [fact('vcluster', vcluster)]),
    ...(fork ? [fact('fork', forkText(fork))] : []),
  ]
  return { rows, waitsFor: reasonsOf(object as Workspace, modules), owns: modules.map(moduleNode) }
}

/** A Module in the tree of owned objects that the inspector shows. */
function moduleNode(module: Module): OwnedNode {
  const { phase = 'not known yet', message } = module.status ?? {}
  const isHealthy = phase === 'ready' || phase === 'sleeped'
  return {
    name: `Module ${formatKey(keyOf(module))}`,
    health: isHealthy ? 'ready' : 'not ready',
    text: !isHealthy && message ? `${phase}: ${message}` : phase,
    owns: [],
  }
}

/** The reasons why a Workspace waits: the message of its status, and the Modules that do not sleep yet. */
function reasonsOf({ spec, status = {} }: Workspace, modules: readonly Module[]): string[] {
  const { phase, message } = status
  if (phase === 'hibernated') return []
  const awake = modules.filter((module) => module.status?.phase !== 'sleeped')
  const isFallingAsleep = spec.hibernated === true && phase === 'ready' && awake.length > 0
  return [
    ...(message ? [`${message}.`] : []),
    ...(isFallingAsleep ? [`the Modules ${moduleNames(awake)} are not asleep.`] : []),
  ]
}

/** The counts of Modules by phase, then the Modules that are neither ready nor asleep. */
function moduleTexts(modules: readonly Module[]): string[] {
  const { total, ready, sleeped, failed } = countModules(modules).modules
  const others = modules
    .filter(({ status }) => status?.phase !== 'ready' && status?.phase !== 'sleeped')
    .map((module) => `${formatKey(keyOf(module))}: ${module.status?.phase ?? 'not known yet'}`)
    .sort()
  const leftOut = others.length - maxNames
  return [
    `${total}: ${ready} ready, ${sleeped} asleep, ${failed} failed`,
    ...others.slice(0, maxNames),
    ...(leftOut > 0 ? [`and ${leftOut} more`] : []),
  ]
}

/** The rows about the schedules. */
function scheduleFacts(times: AutoHibernation | undefined, now: Date): FactView[] {
  if (!times?.enabled) return [fact('schedule', 'none')]
  const { schedule, wakeSchedule, timeZone = 'UTC' } = times
  const wakes = wakeSchedule ? `wakes at ${JSON.stringify(wakeSchedule)}` : 'wakes by hand'
  const text = `sleeps at ${JSON.stringify(schedule)}, ${wakes}, in the time zone ${timeZone}`
  return [fact('schedule', text), fact('due', ...dueTexts(times, now))]
}

function dueTexts(times: AutoHibernation, now: Date): string[] {
  try {
    return nextTimes(schedulesOf(times), now)
  } catch (error) {
    return [`the schedule cannot be read: ${error instanceof Error ? error.message : error}`]
  }
}

/** The next times of both schedules, the earlier one first. */
function nextTimes({ sleep, wake }: HibernationSchedules, now: Date): string[] {
  const sleeps = { at: sleep.next(now).toISOString(), what: 'sleeps' }
  const wakes = wake ? [{ at: wake.next(now).toISOString(), what: 'wakes' }] : []
  return [sleeps, ...wakes].sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ at, what }) => `${what} at ${at}`)
}

function forkText({ phase, modules, message }: NonNullable<WorkspaceStatus['fork']>): string {
  const copied = modules === undefined ? '' : `, ${modules} Modules copied`
  return `${phase}${copied}${message === undefined ? '' : `: ${message}`}`
}
