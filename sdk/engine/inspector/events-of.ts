import type { Cluster } from '../cluster/cluster.js'
import { type Event, events } from '../kube/builtin.js'
import { isForbidden } from '../kube/error.js'
import type { Key } from '../kube/key.js'
import { isSecret, type Resource } from '../kube/resource.js'
import type { EventView, Explanation } from './explanation-view.js'
import { errorText } from './redact.js'

/** How long the Events are waited for, in milliseconds. */
const eventsTimeoutMs = 3000
const maxEvents = 50

/** The Events about an object, the latest last; the reason if they cannot be read. */
export async function eventsOf(
  { client }: Pick<Cluster, 'client'>,
  resource: Pick<Resource, 'group' | 'kind'>,
  key: Key,
): Promise<Pick<Explanation, 'events' | 'eventsError'>> {
  const namespace = key.namespace || 'default'
  try {
    const { items } = await client.list(events, {
      namespace,
      fieldSelector: `involvedObject.name=${key.name},involvedObject.kind=${resource.kind}`,
      timeoutMs: eventsTimeoutMs,
    })
    const views = items.map(eventView).sort((a, b) => a.atMs - b.atMs)
    return { events: views.slice(-maxEvents).map((view) => withoutMessage(resource, view)) }
  } catch (error) {
    const eventsError = isForbidden(error)
      ? `this program may not list Events. kubectl events -n ${namespace} --for ${targetOf(resource, key)} shows them`
      : errorText({ group: '', kind: 'Event' }, error)
    return { events: [], eventsError }
  }
}

/** An object as `kubectl events --for` takes it, for example `Backup.cache.my.domain/daily`. */
function targetOf({ group, kind }: Pick<Resource, 'group' | 'kind'>, { name }: Key): string {
  return `${group ? `${kind}.${group}` : kind}/${name}`
}

function eventView(event: Event): EventView {
  const { type = '', reason = '', message = '', count, series, source, reportingComponent } = event
  const { lastTimestamp, eventTime, metadata } = event
  const timeText = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? ''
  return {
    atMs: Date.parse(timeText) || 0,
    type,
    reason,
    message,
    count: series?.count ?? count ?? 1,
    from: source?.component || reportingComponent || '',
  }
}

/** An Event without its message if it is about a Secret, which the message may quote. */
function withoutMessage(resource: Pick<Resource, 'group' | 'kind'>, view: EventView): EventView {
  return isSecret(resource) ? { ...view, message: 'hidden, because it is about a Secret' } : view
}
