import { type Event, events } from '../kube/builtin.js'
import { formatKey, type Key, keyOf } from '../kube/key.js'
import { loadYaml } from '../kube/load-yaml.js'
import type { KubeObject } from '../kube/object.js'
import { apiVersionOf, isSecret, type Resource } from '../kube/resource.js'
import type { RunningSyncer } from '../syncer/reconcile/run-syncer.js'
import { Syncer } from '../syncer/syncer.js'
import { compareCopy } from './compare-copy.js'
import { explainOwnership } from './explain-ownership.js'
import type { EventView, Explanation } from './explanation-view.js'
import type { Inspected } from './inspected.js'
import { lineDiff } from './line-diff.js'
import { pairView } from './pair-view.js'
import type { Recorder } from './recorder.js'
import { errorText, redacted } from './redact.js'
import { summaryOf } from './summary.js'

/** How long the Events are waited for, in milliseconds. */
const eventsTimeoutMs = 3000
const maxEvents = 50

/** Everything about one key of a syncer. */
export async function explain(
  inspected: Inspected,
  running: RunningSyncer,
  { key, recorder }: { key: Key; recorder: Recorder },
): Promise<Explanation> {
  const { ctx } = inspected
  const { reconciler: syncer, name } = running
  const { resource } = syncer
  const { view, sides } = pairView(running, key, { ctx, recorder })
  const state = running.stateOf(key)
  const virtual = sides.virtual && redacted(resource, sides.virtual)
  const host = sides.host && redacted(resource, sides.host)
  const told = await eventsOf(inspected, resource, key)
  const lastRun = recorder.lastRun(syncer, key)
  const shard = inspected.shardOf(key)
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
    lines: lineDiff(await yamlOf(virtual), await yamlOf(host)),
    timeline: recorder.timeline(syncer, key, sides.hostKey),
    ...told,
  }
}

async function eventsOf(
  { ctx }: Inspected,
  resource: Resource,
  key: Key,
): Promise<Pick<Explanation, 'events' | 'eventsError'>> {
  try {
    const { items } = await ctx.virtual.client.list(events, {
      namespace: key.namespace || 'default',
      fieldSelector: `involvedObject.name=${key.name},involvedObject.kind=${resource.kind}`,
      timeoutMs: eventsTimeoutMs,
    })
    const views = items.map(eventView).sort((a, b) => a.atMs - b.atMs)
    return { events: views.slice(-maxEvents).map((view) => withoutWords(resource, view)) }
  } catch (error) {
    return { events: [], eventsError: errorText({ group: '', kind: 'Event' }, error) }
  }
}

function eventView(event: Event): EventView {
  const { type = '', reason = '', message = '', count, source, reportingComponent } = event
  const at = event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? ''
  return {
    atMs: Date.parse(at) || 0,
    type,
    reason,
    message,
    count: count ?? 1,
    from: source?.component ?? reportingComponent ?? '',
  }
}

/** An Event about a Secret may quote it. */
function withoutWords(resource: Resource, view: EventView): EventView {
  return isSecret(resource) ? { ...view, message: 'hidden, because it is about a Secret' } : view
}

/** Members by name, so that both sides have theirs in one order. */
async function yamlOf(object: KubeObject | undefined): Promise<string> {
  if (!object) return ''
  // Only who looks at an object pays for a YAML writer.
  const { stringify } = await loadYaml()
  try {
    return stringify(object, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false })
  } catch {
    // The writer recurses, and an object may be nested deeper than that reaches.
    return `# ${formatKey(keyOf(object))} is nested too deep to be shown\n`
  }
}
