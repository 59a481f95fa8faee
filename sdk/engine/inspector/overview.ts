import type { WatchedStore } from '../cluster/watched-store.js'
import type { MetricSample } from '../health/prometheus-metrics.js'
import { apiVersionOf, formatResource } from '../kube/resource.js'
import { version } from '../transport/version.js'
import type { InspectableProgram } from './inspected.js'
import type { ViewedParts, ViewSources } from './inspector-view.js'
import type { LeadershipView, Overview, PluginView, WatchView } from './model.js'
import { first, sums } from './samples.js'

/** The sources of {@link overviewOf} in addition to the program. */
export interface OverviewOptions extends ViewSources {
  startedMs: number
}

/** The whole program at a glance. */
export async function overviewOf(inspected: InspectableProgram, options: OverviewOptions): Promise<Overview> {
  const { clock, work, views } = inspected
  const atMs = clock.date().getTime()
  const parts = await Promise.all(views.map((view) => view.overview(options)))
  return {
    ...Object.assign({ ...nothing }, ...parts),
    atMs,
    plugin: pluginView(inspected, options.startedMs),
    leadership: work?.leadership() ?? everyReplicaWorks,
    progress: work?.progress() ?? null,
    watches: await watchViews(work?.stores() ?? [], options, atMs),
  }
}

/** The members that no view of the program fills. */
const nothing: ViewedParts = {
  syncers: [],
  controllers: [],
  hooks: [],
  interceptors: [],
  methods: [],
  calls: [],
}

/** A program without a leader. */
const everyReplicaWorks: LeadershipView = { state: 'leading', deadlineInMs: null, shards: null }

function pluginView(inspected: InspectableProgram, startedMs: number): PluginView {
  return {
    vclusterName: null,
    targetNamespace: null,
    currentNamespace: null,
    labelMode: null,
    ...inspected.facts,
    version,
    node: process.version,
    startedMs,
    isRunning: inspected.isRunning(),
  }
}

/** The metrics of watches. */
interface WatchSamples {
  readonly opened: readonly MetricSample[]
  readonly lists: readonly MetricSample[]
  readonly streams: readonly MetricSample[]
  readonly restarts: readonly MetricSample[]
}

async function watchViews(
  stores: readonly WatchedStore[],
  { samples }: ViewSources,
  atMs: number,
): Promise<WatchView[]> {
  const [opened, lists, streams, restarts] = await Promise.all([
    samples('watch_opened_timestamp_seconds'),
    samples('watch_lists_total'),
    samples('watch_streams_total'),
    samples('watch_restarts_total'),
  ])
  return stores.map((store) => watchView(store, { opened, lists, streams, restarts }, atMs))
}

function watchView(
  { cluster: side, resource, namespace, store, quietMs }: WatchedStore,
  { opened, lists, streams, restarts }: WatchSamples,
  atMs: number,
): WatchView {
  const labels = { cluster: side, resource: formatResource(resource) }
  const openedS = first(opened, labels)
  return {
    side,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    namespace: namespace ?? null,
    objects: store.size,
    synced: store.synced,
    served: store.served,
    resourceVersion: store.resourceVersion ?? null,
    quietMs,
    ageMs: openedS === undefined ? null : Math.max(0, atMs - openedS * 1000),
    lists: first(lists, labels) ?? 0,
    streams: first(streams, labels) ?? 0,
    restarts: sums(restarts, labels, 'reason'),
  }
}
