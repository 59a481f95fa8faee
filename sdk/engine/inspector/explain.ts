import { Syncer } from '../../vcluster/syncer/syncer.js'
import type { Key } from '../kube/key.js'
import { apiVersionOf } from '../kube/resource.js'
import { compareCopy } from './compare-copy.js'
import { eventsOf } from './events-of.js'
import { explainOwnership } from './explain-ownership.js'
import type { Explanation } from './explanation-view.js'
import type { Inspected, InspectedSyncer } from './inspected.js'
import { lineDiff } from './line-diff.js'
import { pairView } from './pair-view.js'
import type { Recorder } from './recorder.js'
import { redacted } from './redact.js'
import { withServerSet } from './server-set-lines.js'
import { summaryOf } from './summary.js'
import { yamlOf } from './yaml-of.js'

/** Everything about one key of a syncer. */
export async function explain(
  inspected: Inspected,
  { running, ctx }: InspectedSyncer,
  { key, recorder }: { key: Key; recorder: Recorder },
): Promise<Explanation> {
  const { reconciler: syncer, name } = running
  const { resource } = syncer
  const { view, sides } = pairView(running, key, { ctx, recorder })
  const state = running.stateOf(key)
  const virtual = sides.virtual && redacted(resource, sides.virtual)
  const host = sides.host && redacted(resource, sides.host)
  const told = await eventsOf(ctx.virtual, resource, key)
  const lastRun = recorder.lastRun(syncer, key)
  const shard = inspected.shardOf(key)
  const objects = [
    { cluster: 'virtual', resource, key },
    ...(sides.hostKey ? [{ cluster: 'host', resource, key: sides.hostKey }] : []),
  ]
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
    timeline: recorder.timeline(syncer, key, objects),
    ...told,
  }
}
