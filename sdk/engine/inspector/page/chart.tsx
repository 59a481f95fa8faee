import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'

const heightPx = 130
/** The most and the least time that a chart shows, in seconds. */
const spanS = { most: 300, least: 60 }

/** One line of a chart. */
export interface Line {
  readonly name: string
  /** The name of its colour in the style. */
  readonly color: string
  /** For each point in time; null is a gap. */
  readonly values: readonly (number | null)[]
}

/** The times at the ends of a chart: of a young program it shows only the time that has values. */
function endsOf(times: ArrayLike<number | null | undefined>, nowS: number): [number, number] {
  const firstS = times[0] ?? nowS
  return [Math.max(nowS - spanS.most, Math.min(firstS - 5, nowS - spanS.least)), nowS]
}

/** A chart over the last five minutes, with axes. Screen readers get `label`. */
export function Chart({
  title,
  label,
  times,
  lines,
  nowMs,
  format,
}: {
  title: string
  label: string
  /** In milliseconds since 1970. */
  times: readonly number[]
  lines: readonly Line[]
  nowMs: number
  /** A value of the vertical axis, with its unit. */
  format: (value: number) => string
}) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | undefined>(undefined)
  const data = [times.map((atMs) => atMs / 1000), ...lines.map(({ values }) => values)] as uPlot.AlignedData
  const latest = useRef({ data, nowMs, lines, format })
  latest.current = { data, nowMs, lines, format }
  useEffect(() => follow(place.current, chart, latest), [])
  useEffect(() => {
    chart.current?.setData(data, false)
    const [min, max] = endsOf(data[0], nowMs / 1000)
    chart.current?.setScale('x', { min, max })
  })
  return (
    <figure>
      <Caption title={title} lines={lines} />
      <div class="chart" role="img" aria-label={label} ref={place} />
    </figure>
  )
}

/** The title, and the name of each line in its colour. */
function Caption({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <figcaption>
      {title}
      {lines.map(({ name, color }) => (
        <span key={name} class={`key ${color}`}>
          {name}
        </span>
      ))}
    </figcaption>
  )
}

interface Latest {
  readonly data: uPlot.AlignedData
  readonly nowMs: number
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
}

/** Draws the chart, and again when the width or the colour scheme changes. Returns the end of that. */
function follow(
  place: HTMLDivElement | null,
  chart: { current: uPlot | undefined },
  latest: { current: Latest },
): (() => void) | undefined {
  if (!place) return undefined
  const draw = () => {
    chart.current?.destroy()
    chart.current = new uPlot(optionsOf(place, latest.current), latest.current.data, place)
  }
  draw()
  const sized = new ResizeObserver(() => {
    chart.current?.setSize({ width: place.clientWidth, height: heightPx })
  })
  sized.observe(place)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', draw)
  return () => {
    sized.disconnect()
    scheme.removeEventListener('change', draw)
    chart.current?.destroy()
    chart.current = undefined
  }
}

function optionsOf(place: HTMLElement, { data, nowMs, lines, format }: Latest): uPlot.Options {
  const style = getComputedStyle(place)
  const color = (name: string) => style.getPropertyValue(`--${name}`)
  const axis = {
    stroke: color('soft'),
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  }
  return {
    width: place.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { show: false },
    // The last label of the time is under the right end.
    padding: [8, 26, 0, 0],
    scales: {
      x: { time: true, range: () => endsOf(data[0], nowMs / 1000), auto: false },
      y: { range: (_chart, _min, max) => [0, Math.max(1, max || 0) * 1.1] },
    },
    axes: [
      { ...axis, space: 60, size: 24, values: (_chart, times) => times.map(clockTime) },
      { ...axis, size: 56, values: (_chart, values) => values.map(format) },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line.name, color(line.color)))],
  }
}

/** A line with its points, and below it an area in a faint shade of its colour. */
function seriesOf(name: string, color: string): uPlot.Series {
  return {
    label: name,
    stroke: color,
    width: 2,
    fill: `${color}1f`,
    spanGaps: true,
    points: { show: true, size: 4, fill: color },
  }
}

/** The time of the day, with seconds where it is not a full minute. */
function clockTime(atS: number): string {
  const date = new Date(atS * 1000)
  const parts = [date.getHours(), date.getMinutes(), ...(atS % 60 === 0 ? [] : [date.getSeconds()])]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
