import type { KubeObject } from '../kube/object.js'
import { nameOf } from './controlled-view.js'
import type { OwnedView } from './controller-explanation.js'
import type { RunEntry } from './explanation-view.js'
import type { ShardView } from './model.js'
import type { PairView } from './pair-model.js'
import { shardText } from './shard-text.js'

/** The sources of {@link controllerSummary} and {@link waitsFor}. */
export interface ControllerFacts {
  view: PairView
  object: KubeObject | undefined
  shard: ShardView | null
  conflictsWith: string | undefined
  isRunning: boolean
  isWaiting: boolean
  lastRun: RunEntry | undefined
  /** Why the controller does nothing for the object now. */
  reasons: readonly string[]
  owned: readonly OwnedView[]
}

/** The state of an object of a controller and its reason, in one or two sentences. */
export function controllerSummary(facts: ControllerFacts): string {
  const { view, object, shard, lastRun, reasons, conflictsWith } = facts
  const name = nameOf(view)
  const because = lastRun?.error === undefined ? '' : ` The last run failed: ${lastRun.error}`
  if (shard && !shard.isOurs)
    return `${name} is in ${shardText(shard)}.${shard.holder ? ' Ask that replica.' : ''}`
  switch (view.state) {
    case 'quarantined':
      return `${name} failed ${view.failures} times in a row and is tried once a minute at most.${because}`
    case 'name conflict':
      return `${name} waits, because ${conflictsWith} is not its own. Remove that object.${because}`
    case 'given up':
      return `${name} is left as it is until it changes.${because}`
    default:
      if (facts.isRunning || facts.isWaiting || because)
        return `${name} waits for a run, or is worked on.${because}`
      return object ? settledSummary(name, object, reasons) : `There is no ${name}.`
  }
}

function settledSummary(name: string, { metadata }: KubeObject, [reason]: readonly string[]): string {
  if (reason !== undefined) return `${name} waits: ${reason}`
  return metadata.deletionTimestamp === undefined
    ? `${name} is reconciled.`
    : `${name} is being deleted, and still has finalizers.`
}

/** Everything that an object waits for, in sentences. */
export function waitsFor(facts: ControllerFacts): string[] {
  const { view, object, conflictsWith, isRunning, isWaiting, reasons, owned } = facts
  const sentences = [...reasons]
  if (isRunning) sentences.push('A run is under way.')
  if (isWaiting) sentences.push('It runs when a worker is free.')
  if (conflictsWith !== undefined)
    sentences.push(`${conflictsWith} has a name that it needs, and is not its own.`)
  if (object?.metadata.deletionTimestamp !== undefined)
    sentences.push(`It is being deleted; its finalizers are ${finalizersOf(object)}.`)
  for (const { kind, namespace, name, problem } of owned)
    if (problem !== null) sentences.push(`${nameOf({ kind, namespace, name })}: ${problem}.`)
  const next = nextText(view)
  return next === undefined ? sentences : [...sentences, next]
}

const finalizersOf = ({ metadata }: KubeObject) => metadata.finalizers?.join(', ') || 'none'

function nextText({ dueInMs, failures }: PairView): string | undefined {
  if (dueInMs === null) return undefined
  const seconds = Math.ceil(dueInMs / 1000)
  return failures > 0
    ? `It is tried again in ${seconds} s, after ${failures} failures in a row.`
    : `Its next run is in ${seconds} s.`
}
