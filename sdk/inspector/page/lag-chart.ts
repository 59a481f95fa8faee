import type { SyncerView, WindowView } from '../model.js'
import { element, svgElement } from './element.js'
import { formatMs } from './format.js'

const width = 300
const height = 100
const spanMs = 300_000

/** The lag of five minutes as two lines, over bars for the runs; the words say what it shows. */
export function lagChart(syncer: SyncerView, nowMs: number): HTMLElement {
  const most = Math.max(1, ...syncer.windows.map(({ p99Ms }) => p99Ms ?? 0))
  const scale = `Lag over five minutes, at most ${formatMs(most)}; bars for the runs`
  return element('div', {}, [drawing(syncer, nowMs, most), element('p', { class: 'soft' }, [scale])])
}

function drawing({ windows, windowMs, lag, name }: SyncerView, nowMs: number, most: number): SVGElement {
  const startMs = nowMs - spanMs
  const x = (window: WindowView) => ((window.startMs + windowMs / 2 - startMs) / spanMs) * width
  const busiest = Math.max(1, ...windows.map(({ runs }) => runs))
  const bars = windows.map((window) => {
    const tall = (window.runs / busiest) * (height / 3)
    const place = { x: String(x(window) - 2), y: String(height - tall), width: '4', height: String(tall) }
    return svgElement('rect', place)
  })
  const line = (look: string, lagOf: (window: WindowView) => number | null) => {
    const points = windows.flatMap((window) => {
      const value = lagOf(window)
      if (value === null) return []
      const y = (height - 4 - (value / most) * (height - 8)).toFixed(1)
      // A window has a width, so that a single one is seen.
      return [-2, 2].map((offset) => `${(x(window) + offset).toFixed(1)},${y}`)
    })
    return svgElement('polyline', { class: look, points: points.join(' ') })
  }
  const words = `Lag of ${name} over five minutes: half below ${formatMs(lag.p50Ms)}, 99 of 100 below ${formatMs(lag.p99Ms)}; at most ${formatMs(most)} in the chart`
  return svgElement(
    'svg',
    {
      class: 'chart',
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': words,
    },
    [...bars, line('p50', ({ p50Ms }) => p50Ms), line('p99', ({ p99Ms }) => p99Ms)],
  )
}
