import type { ControllerView, ErrorView, KindView, SyncerView, WorkView } from '../model.js'
import { Chart } from './chart.js'
import { formatCounts, formatMs } from './format.js'
import { Frame } from './frame.js'
import { fullWindows } from './full-windows.js'
import { Facts, ObjectLink } from './parts.js'
import { hashOf } from './route.js'
import { Table } from './table.js'
import { Time } from './time.js'

const directions = { virtual: 'virtual to host', host: 'host to virtual', none: 'virtual alone' } as const

/** One syncer: its load, its lag and its errors. */
export function SyncerCard({ syncer, nowMs }: { syncer: SyncerView; nowMs: number }) {
  const { virtual, host } = syncer.objects
  return (
    <WorkCard
      work={syncer}
      nowMs={nowMs}
      about={`syncer of ${syncer.apiVersion} ${syncer.kind}, ${directions[syncer.originals ?? 'none']}`}
      objects={`${virtual} virtual, ${host} host`}
    />
  )
}

/** The same for a controller. */
export function ControllerCard({ controller, nowMs }: { controller: ControllerView; nowMs: number }) {
  const { apiVersion, kind, cluster, owns, watches, objects } = controller
  const kinds = (title: string, all: readonly KindView[]) =>
    all.length === 0 ? '' : `, ${title} ${all.map((one) => one.kind).join(', ')}`
  const about = `controller of ${apiVersion} ${kind} in ${cluster}${kinds('owns', owns)}${kinds('watches', watches)}`
  return <WorkCard work={controller} nowMs={nowMs} about={about} objects={String(objects)} />
}

function WorkCard({
  work,
  nowMs,
  about,
  objects,
}: {
  work: WorkView
  nowMs: number
  about: string
  objects: string
}) {
  const { name, load, perSecond, lag, runs, errors } = work
  return (
    <article class="card" data-syncer={name}>
      <h3>
        <a href={hashOf('objects', { syncer: name })}>{name}</a>
      </h3>
      <p class="soft">{about}</p>
      <Facts
        entries={[
          ['Waiting', load.waiting],
          ['Workers busy', `${load.running} of ${load.workers}`],
          ['Delayed', load.delayed],
          ['Objects', objects],
          ['Runs a second', perSecond.toFixed(1)],
          ['Lag p50', formatMs(lag.p50Ms)],
          ['Lag p99', formatMs(lag.p99Ms)],
          ['Runs', formatCounts(runs).replaceAll('_', ' ')],
        ]}
      />
      <div class="charts">
        <LagChart work={work} nowMs={nowMs} />
        <QueueChart work={work} nowMs={nowMs} />
        <RunsChart work={work} nowMs={nowMs} />
      </div>
      {errors.length > 0 && <Errors work={work} />}
    </article>
  )
}

/** The windows of a chart, and the time in the middle of each. */
function pointsOf(work: WorkView, nowMs: number) {
  const windows = fullWindows(work, nowMs)
  return { windows, times: windows.map(({ startMs }) => startMs + work.windowMs / 2) }
}

function LagChart({ work, nowMs }: { work: WorkView; nowMs: number }) {
  const { name, lag } = work
  const { windows, times } = pointsOf(work, nowMs)
  const label = `Lag of ${name} over five minutes: half below ${formatMs(lag.p50Ms)}, 99 of 100 below ${formatMs(lag.p99Ms)}`
  const lines = [
    { name: 'p50', color: 'p50', values: windows.map(({ p50Ms }) => p50Ms) },
    { name: 'p99', color: 'p99', values: windows.map(({ p99Ms }) => p99Ms) },
  ]
  return <Chart title="Lag" label={label} times={times} lines={lines} nowMs={nowMs} format={formatMs} />
}

function QueueChart({ work, nowMs }: { work: WorkView; nowMs: number }) {
  const { name, load } = work
  const { windows, times } = pointsOf(work, nowMs)
  const most = Math.max(0, ...work.windows.map(({ waiting }) => waiting))
  const label = `Queue of ${name} over five minutes: ${load.waiting} keys wait now, at most ${most} waited`
  const lines = [{ name: 'keys waiting', color: 'p50', values: windows.map(({ waiting }) => waiting) }]
  return <Chart title="Queue" label={label} times={times} lines={lines} nowMs={nowMs} format={formatNumber} />
}

function RunsChart({ work, nowMs }: { work: WorkView; nowMs: number }) {
  const { name, perSecond, windowMs } = work
  const { windows, times } = pointsOf(work, nowMs)
  const label = `Runs of ${name} over five minutes: ${perSecond.toFixed(1)} a second now`
  const lines = [
    {
      name: 'runs a second',
      color: 'p50',
      values: windows.map(({ runs }) => (runs * 1000) / windowMs),
    },
  ]
  return <Chart title="Runs" label={label} times={times} lines={lines} nowMs={nowMs} format={formatNumber} />
}

const formatNumber = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1))

function Errors({ work: { name, errors } }: { work: WorkView }) {
  return (
    <Table<ErrorView>
      caption={`Latest errors of ${name}`}
      items={errors}
      keyOf={({ message, frames = [] }) => `${message} ${frames[0] ?? ''}`}
      empty=""
      columns={[
        { title: 'At', cell: ({ atMs }) => <Time atMs={atMs} /> },
        { title: 'Object', cell: (error) => <ObjectLink of={{ ...error, syncer: name }} /> },
        { title: 'Error', cell: ({ message }) => message },
        { title: 'Where', layout: 'wide', cell: ({ frames = [] }) => <Frames frames={frames} /> },
        { title: 'Times', layout: 'number', cell: ({ times }) => times },
      ]}
    />
  )
}

/** The places in the program's own code, a line for each. */
function Frames({ frames }: { frames: readonly string[] }) {
  return (
    <>
      {frames.map((frame) => (
        <div key={frame} class="soft">
          <Frame frame={frame} />
        </div>
      ))}
    </>
  )
}
