import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'

const heightPx = 130
/** The most and the least time that a chart shows, in seconds. */
const spanS = { max: 300, min: 60 }

/** One line of a chart. */
export interface Line {
  readonly name: string
  /** The name of its colour in the style. */
  readonly color: string
  /** For each point in time; null is a gap. */
  readonly values: readonly (number | null)[]
}

/** The first and the last time of a chart, in seconds. For a young program it shows only the time that has values. */
function timeRange(times: ArrayLike<number | null | undefined>, nowS: number): [number, number] {
  const firstS = times[0] ?? nowS
  return [Math.max(nowS - spanS.max, Math.min(firstS - 5, nowS - spanS.min)), nowS]
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
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | undefined>(undefined)
  const data = [times.map((atMs) => atMs / 1000), ...lines.map(({ values }) => values)] as uPlot.AlignedData
  const latest = useRef({ data, nowMs, lines, format })
  latest.current = { data, nowMs, lines, format }
  useEffect(() => drawUntilUnmounted(element.current, chart, latest), [])
  useEffect(() => {
    chart.current?.setData(data, false)
    const [min, max] = timeRange(data[0], nowMs / 1000)
    chart.current?.setScale('x', { min, max })
  })
  return (
    <figure>
      <Caption title={title} lines={lines} />
      <div class="chart" role="img" aria-label={label} ref={element} />
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

/** The latest properties of a chart, for when it is drawn again. */
interface Latest {
  readonly data: uPlot.AlignedData
  readonly nowMs: number
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
}

/** Draws the chart, and again when the width or the colour scheme changes. Returns the function that ends this. */
function drawUntilUnmounted(
  element: HTMLDivElement | null,
  chart: { current: uPlot | undefined },
  latest: { current: Latest },
): (() => void) | undefined {
  if (!element) return undefined
  const draw = () => {
    chart.current?.destroy()
    chart.current = new uPlot(optionsOf(element, latest.current), latest.current.data, element)
  }
  draw()
  const resizeObserver = new ResizeObserver(() => {
    chart.current?.setSize({ width: element.clientWidth, height: heightPx })
  })
  resizeObserver.observe(element)
  const colorScheme = matchMedia('(prefers-color-scheme: dark)')
  colorScheme.addEventListener('change', draw)
  return () => {
    resizeObserver.disconnect()
    colorScheme.removeEventListener('change', draw)
    chart.current?.destroy()
    chart.current = undefined
  }
}

function optionsOf(element: HTMLElement, { data, nowMs, lines, format }: Latest): uPlot.Options {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(`--${name}`)
  const axis = {
    stroke: color('soft'),
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  }
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { show: false },
    // The last label of the time is under the right end.
    padding: [8, 26, 0, 0],
    scales: {
      x: { time: true, range: () => timeRange(data[0], nowMs / 1000), auto: false },
      y: { range: (_chart, _min, max) => [0, Math.max(1, max || 0) * 1.1] },
    },
    axes: [
      { ...axis, space: 60, size: 24, values: (_chart, times) => times.map(clockTime) },
      { ...axis, size: 56, values: (_chart, values) => values.map(format) },
    ],
    series: [{}, ...lines.map((line) => seriesOptions(line.name, color(line.color)))],
  }
}

/** A line with its points, and below it an area in a faint shade of its colour. */
function seriesOptions(name: string, color: string): uPlot.Series {
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
