import type { ControllerKeyState } from '../../../engine/controller/running-controller.js'
import { eventsOf } from '../../../engine/inspector/events-of.js'
import type { Explanation } from '../../../engine/inspector/explanation-view.js'
import type { InspectedWork } from '../../../engine/inspector/inspected.js'
import type { RecordedObject } from '../../../engine/inspector/recorder.js'
import { sortedYaml } from '../../../engine/inspector/sorted-yaml.js'
import type { Key } from '../../../engine/kube/key.js'
import { apiVersionOf, type Resource } from '../../../engine/kube/resource.js'
import type { RunningSyncer } from '../../syncer/reconcile/run-syncer.js'
import type { Reconciler } from '../../syncer/reconciler.js'
import { Syncer } from '../../syncer/syncer.js'
import { compareCopy } from './compare-copy.js'
import { explainOwnership } from './explain-ownership.js'
import type { InspectedPair } from './inspected-pair.js'
import { lineDiff } from './line-diff.js'
import { type SummaryOptions, summaryOf } from './pair-summary.js'
import { type PairViewOptions, pairView } from './pair-view.js'
import { withServerSet } from './server-set-lines.js'
import { shownObject } from './shown-object.js'

/** Everything about one key of a syncer. */
export async function explainPair(
  running: RunningSyncer,
  key: Key,
  { ctx, recorder, shardOf }: PairViewOptions & Pick<InspectedWork, 'shardOf'>,
): Promise<Explanation> {
  const { reconciler: syncer, name } = running
  const { resource } = syncer
  const { view, pair } = pairView(running, key, { ctx, recorder })
  const state = running.stateOf(key)
  const virtual = pair.virtual && shownObject(resource, pair.virtual)
  const host = pair.host && shownObject(resource, pair.host)
  const events = await eventsOf(ctx.virtual, resource, key)
  const lastRun = recorder.lastRun(syncer, key)
  const shard = shardOf(key)
  const recorded = recorder.subjects(recordedSides(resource, key, pair))
  return {
    ...view,
    syncer: name,
    apiVersion: apiVersionOf(resource),
    ...workState(syncer, state, { view, shard, lastRun, isStrange: pair.host !== undefined }),
    ownership: explainOwnership(syncer, key, pair),
    ...compareCopy(syncer, pair),
    lines: withServerSet(lineDiff(await sortedYaml(virtual), await sortedYaml(host))),
    timeline: recorder.timeline(syncer, key, recorded),
    recorded,
    ...events,
  }
}

/** The objects whose changes and writes belong to the timeline of the pair. */
function recordedSides(resource: Resource, key: Key, { hostKey }: InspectedPair): RecordedObject[] {
  const virtual = { cluster: 'virtual', resource, key }
  return hostKey ? [virtual, { cluster: 'host', resource, key: hostKey }] : [virtual]
}

/** The state of the pair: a summary in a sentence, and the state of its runs. */
function workState(
  syncer: Reconciler,
  { isRunning, isWaiting, conflictsWith }: ControllerKeyState,
  summaryFacts: Omit<SummaryOptions, 'conflictsWith'>,
) {
  return {
    summary: summaryOf({ ...summaryFacts, conflictsWith }),
    originals: syncer instanceof Syncer ? syncer.originals : null,
    isRunning,
    isWaiting,
    shard: summaryFacts.shard,
    conflictsWith: conflictsWith ?? null,
  }
}
