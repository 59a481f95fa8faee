import { eventsOf } from '../../../engine/inspector/events-of.js'
import type { Explanation } from '../../../engine/inspector/explanation-view.js'
import type { InspectedWork } from '../../../engine/inspector/inspected.js'
import { yamlOf } from '../../../engine/inspector/yaml-of.js'
import type { Key } from '../../../engine/kube/key.js'
import { apiVersionOf } from '../../../engine/kube/resource.js'
import type { RunningSyncer } from '../../syncer/reconcile/run-syncer.js'
import { Syncer } from '../../syncer/syncer.js'
import { compareCopy } from './compare-copy.js'
import { explainOwnership } from './explain-ownership.js'
import { lineDiff } from './line-diff.js'
import { summaryOf } from './pair-summary.js'
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
  const { view, sides } = pairView(running, key, { ctx, recorder })
  const state = running.stateOf(key)
  const virtual = sides.virtual && shownObject(resource, sides.virtual)
  const host = sides.host && shownObject(resource, sides.host)
  const events = await eventsOf(ctx.virtual, resource, key)
  const lastRun = recorder.lastRun(syncer, key)
  const shard = shardOf(key)
  const recorded = recorder.subjects([
    { cluster: 'virtual', resource, key },
    ...(sides.hostKey ? [{ cluster: 'host', resource, key: sides.hostKey }] : []),
  ])
  return {
    ...view,
    syncer: name,
    apiVersion: apiVersionOf(resource),
    summary: summaryOf({
      view,
      shard,
      conflictsWith: state.conflictsWith,
      lastRun,
      isStrange: sides.host !== undefined,
    }),
    originals: syncer instanceof Syncer ? syncer.originals : null,
    isRunning: state.isRunning,
    isWaiting: state.isWaiting,
    shard,
    conflictsWith: state.conflictsWith ?? null,
    ownership: explainOwnership(syncer, key, sides),
    ...compareCopy(syncer, sides),
    lines: withServerSet(lineDiff(await yamlOf(virtual), await yamlOf(host))),
    timeline: recorder.timeline(syncer, key, recorded),
    recorded,
    ...events,
  }
}
