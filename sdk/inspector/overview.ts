import type { WatchedStore } from '../cluster/watched-store.js'
import type { RunningController } from '../controller/running-controller.js'
import type { PrometheusMetrics, Sample } from '../health/prometheus-metrics.js'
import { hookTypes, methodOf } from '../hook/client-hook.js'
import { apiVersionOf, formatResource, type Resource } from '../kube/resource.js'
import { knownHosts } from '../ownership/host-objects.js'
import { Syncer } from '../syncer/syncer.js'
import { version } from '../transport/version.js'
import type { Inspected, InspectedSyncer } from './inspected.js'
import type { InspectedController, InspectedKind } from './inspected-controller.js'
import { windowMs } from './lag-windows.js'
import type {
  ControllerView,
  HookView,
  KindView,
  Overview,
  PluginView,
  SyncerView,
  WatchView,
  WorkView,
} from './model.js'
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
  }
}

type Read = Readonly<Record<keyof typeof metricNames, readonly Sample[]>>

/** Counted anyway, so that the inspector need not count again. */
const metricNames = {
  runs: 'controller_runtime_reconcile_total',
  lists: 'watch_lists_total',
  streams: 'watch_streams_total',
  restarts: 'watch_restarts_total',
  opened: 'watch_opened_timestamp_seconds',
  hookCalls: 'hook_calls_total',
  hookSeconds: 'hook_duration_seconds',
} as const

async function readMetrics(metrics: PrometheusMetrics): Promise<Read> {
  const entries = Object.entries(metricNames).map(async ([name, metric]) => [
    name,
    await metrics.samples(metric),
  ])
  return Object.fromEntries(await Promise.all(entries)) as Read
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

function hookViews(inspected: Inspected, read: Read): HookView[] {
  return inspected.hooks().flatMap((hook) =>
    hookTypes
      .filter((type) => methodOf(hook, type))
      .map((type) => {
        const labels = { hook: hook.name, type }
        const calls = sums(read.hookCalls, labels, 'result')
        const { apiVersion, kind } = { apiVersion: apiVersionOf(hook.resource), kind: hook.resource.kind }
        return { name: hook.name, apiVersion, kind, type, calls, meanMs: mean(read.hookSeconds, labels) }
      }),
  )
}

type Labels = Readonly<Record<string, string>>

const fits = (sample: Sample, labels: Labels) =>
  Object.entries(labels).every(([name, value]) => sample.labels[name] === value)

const first = (samples: readonly Sample[], labels: Labels) =>
  samples.find((sample) => fits(sample, labels))?.value

/** The values of those samples by one more label. */
function sums(samples: readonly Sample[], labels: Labels, by: string): Record<string, number> {
  const fitting = samples.filter((sample) => fits(sample, labels))
  return Object.fromEntries(fitting.map(({ labels, value }) => [labels[by] ?? '', value]))
}

function mean(samples: readonly Sample[], labels: Labels): number | null {
  const part = (suffix: string) =>
    first(
      samples.filter(({ name }) => name.endsWith(suffix)),
      labels,
    ) ?? 0
  const count = part('_count')
  return count === 0 ? null : (part('_sum') / count) * 1000
}
