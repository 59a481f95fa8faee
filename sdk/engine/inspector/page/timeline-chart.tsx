import type { EventView, TimelineEntry } from '../explanation-view.js'
import { formatMs, formatTime } from './format.js'

/** Something that happened, in the row of the picture that it belongs to. */
interface Point {
  /** The title of the row. */
  readonly lane: string
  readonly atMs: number
  /** The classes of the style: what happened, and `failed`. */
  readonly classNames: string
  readonly title: string
}

/**
 * The history as a picture: a row for each cluster, runs and Events, from left to right. Long silences are drawn
 * shorter than they were, so that what belongs together is seen apart.
 */
export function TimelineChart({
  timeline,
  events,
}: {
  timeline: readonly TimelineEntry[]
  events: readonly EventView[]
}) {
  const points = [...timeline.map(entryPoint), ...events.filter(({ atMs }) => atMs > 0).map(eventPoint)].sort(
    (a, b) => a.atMs - b.atMs,
  )
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return <p class="soft">Nothing that the inspector remembers.</p>
  const positions = positionsOf(points)
  const lanes = [...new Set(points.map(({ lane }) => lane))].sort()
  const label = `${summaryOf(points)}, within ${formatMs(last.atMs - first.atMs)}; the table has the details`
  return (
    <div class="timeline" role="img" aria-label={label}>
      {lanes.map((lane) => (
        <Lane key={lane} lane={lane} points={points} positions={positions} />
      ))}
      <div class="lane times">
        <span />
        <div>
          <span>{formatTime(first.atMs)}</span>
          <span>{formatTime(last.atMs)}</span>
        </div>
      </div>
    </div>
  )
}

/** One row of the picture, with those of all points that belong to it. */
function Lane({
  lane,
  points,
  positions,
}: {
  lane: string
  points: readonly Point[]
  positions: readonly number[]
}) {
  return (
    <div class="lane">
      <span class="soft">{lane}</span>
      <div class="track">
        {points.map((point, index) =>
          point.lane === lane ? (
            <i
              key={index}
              class={point.classNames}
              title={`${formatTime(point.atMs)} ${point.title}`}
              style={{ left: `${positions[index]}%` }}
            />
          ) : null,
        )}
      </div>
    </div>
  )
}

function entryPoint(entry: TimelineEntry): Point {
  const { atMs } = entry
  if (entry.what === 'run') {
    const classNames = entry.error === undefined ? 'run' : 'run failed'
    return { lane: 'runs', atMs, classNames, title: `run: ${entry.result}` }
  }
  if (entry.what === 'process')
    return { lane: 'program', atMs, classNames: 'process', title: `${entry.verb}: ${entry.text}` }
  const { side, object, verb, what } = entry
  return {
    lane: object === undefined ? side : 'owned',
    atMs,
    classNames: what,
    title: `${object ?? ''} ${verb}`.trim(),
  }
}

const eventPoint = ({ atMs, type, reason }: EventView): Point => ({
  lane: 'Events',
  atMs,
  classNames: type === 'Warning' ? 'event failed' : 'event',
  title: `${type} ${reason}`,
})

/** The position of each point in percent of the width. The time between two points counts by its logarithm. */
function positionsOf(points: readonly Point[]): number[] {
  let end = 0
  const ends = points.map(({ atMs }, index) => {
    end += Math.log1p(atMs - (points[index - 1]?.atMs ?? atMs)) + 0.3
    return end
  })
  const [begin = 0] = ends
  return ends.map((position) => ((position - begin) / Math.max(end - begin, 1)) * 100)
}

function summaryOf(points: readonly Point[]): string {
  const counts = new Map<string, number>()
  for (const { classNames } of points) {
    const [what = ''] = classNames.split(' ')
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].map(([what, count]) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ')
}
