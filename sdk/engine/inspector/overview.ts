import { knownHosts } from '../../vcluster/ownership/host-objects.js'
import { Syncer } from '../../vcluster/syncer/syncer.js'
import type { WatchedStore } from '../cluster/watched-store.js'
import type { RunningController } from '../controller/running-controller.js'
import type { PrometheusMetrics } from '../health/prometheus-metrics.js'
import { apiVersionOf, formatResource, type Resource } from '../kube/resource.js'
import { version } from '../transport/version.js'
import { hookViews, interceptorViews, methodViews } from './call-views.js'
import type { Inspected, InspectedSyncer } from './inspected.js'
import type { InspectedController, InspectedKind } from './inspected-controller.js'
import { windowMs } from './lag-windows.js'
import type {
  ControllerView,
  KindView,
  Overview,
  PluginView,
  SyncerView,
  WatchView,
  WorkView,
} from './model.js'
import { first, type Read, readMetrics, sums } from './read-metrics.js'
import type { Recorder } from './recorder.js'

/** The sources of {@link overviewOf} in addition to the plugin. */
export interface OverviewOptions {
  recorder: Recorder
  metrics: PrometheusMetrics
  startedMs: number
}

/** The whole plugin at a glance. */
export async function overviewOf(inspected: Inspected, options: OverviewOptions): Promise<Overview> {
  const atMs = inspected.clock.date().getTime()
  const read = await readMetrics(options.metrics)
  const records = { ...options, read }
  return {
    atMs,
    plugin: pluginView(inspected, options.startedMs),
    leadership: inspected.leadership(),
    progress: inspected.progress(),
    syncers: inspected.syncers().map((one) => syncerView(one, records)),
    controllers: inspected.controllers().map((one) => controllerView(one, records)),
    watches: inspected.stores().map((store) => watchView(store, read, atMs)),
    hooks: hookViews(inspected, read),
    interceptors: interceptorViews(inspected, read),
    methods: methodViews(inspected, read),
    calls: inspected.calls?.recent ?? [],
  }
}

function pluginView(inspected: Inspected, startedMs: number): PluginView {
  return {
    ...inspected.facts,
    version,
    node: process.version,
    startedMs,
    isRunning: inspected.isRunning(),
  }
}

interface Records {
  readonly recorder: Recorder
  readonly read: Read
}

function workView(running: RunningController, resource: Resource, { recorder, read }: Records): WorkView {
  const { name } = running
  const { windows, errors } = recorder.of(name)
  return {
    name,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    load: running.load(),
    oldestRunMs: running.oldestRunMs(),
    runs: sums(read.runs, { controller: name }, 'result'),
    perSecond: windows.perSecond,
    lag: { p50Ms: windows.quantileMs(0.5), p99Ms: windows.quantileMs(0.99) },
    windows: windows.windows(),
    windowMs,
    errors: errors.all,
  }
}

function syncerView({ running, ctx }: InspectedSyncer, records: Records): SyncerView {
  const { reconciler } = running
  const host = reconciler instanceof Syncer ? knownHosts(reconciler, ctx).length : 0
  return {
    ...workView(running, reconciler.resource, records),
    originals: reconciler instanceof Syncer ? reconciler.originals : null,
    objects: { virtual: ctx.virtual.store(reconciler.resource).size, host },
  }
}

function controllerView(running: InspectedController, records: Records): ControllerView {
  const { resource, cluster, owns, watches, hasReleases } = running.inspection
  return {
    ...workView(running, resource, records),
    cluster: cluster.name,
    objects: cluster.store(resource).size,
    owns: owns.map(kindView),
    watches: watches.map(kindView),
    hasReleases,
  }
}

const kindView = ({ cluster, resource }: InspectedKind): KindView => ({
  cluster: cluster.name,
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
})

function watchView(
  { cluster: side, resource, namespace, store, quietMs }: WatchedStore,
  read: Read,
  atMs: number,
): WatchView {
  const labels = { cluster: side, resource: formatResource(resource) }
  const openedS = first(read.opened, labels)
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
    lists: first(read.lists, labels) ?? 0,
    streams: first(read.streams, labels) ?? 0,
    restarts: sums(read.restarts, labels, 'reason'),
  }
}
