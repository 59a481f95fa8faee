/** One bar of a chart. */
export interface Bar {
  readonly label: string
  readonly value: number
  /** The text next to the bar. */
  readonly text: string
  /** Whether the bar is one of this project, which has another colour. */
  readonly isOurs: boolean
}

const rowHeight = 26
const labelWidth = 190
const barWidth = 360
const textWidth = 150

/** A bar chart as a self-contained SVG, readable on light and dark pages. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE)
  const width = labelWidth + barWidth + textWidth
  const height = 40 + bars.length * rowHeight
  const rows = bars.map((bar, at) => row(bar, 34 + at * rowHeight, (bar.value / most) * barWidth))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    `  font-family="sans-serif" font-size="13" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" rx="6" fill="#ffffff"/>`,
    `<text x="12" y="22" font-weight="bold" fill="#222222">${escaped(title)}</text>`,
    ...rows,
    '</svg>\n',
  ].join('\n')
}

function row({ label, text, isOurs }: Bar, y: number, width: number): string {
  const fill = isOurs ? '#2f6fde' : '#a9b4c2'
  return [
    `<text x="${labelWidth - 10}" y="${y + 15}" text-anchor="end" fill="#222222">${escaped(label)}</text>`,
    `<rect x="${labelWidth}" y="${y + 2}" width="${width.toFixed(1)}" height="${rowHeight - 8}" fill="${fill}"/>`,
    `<text x="${labelWidth + width + 6}" y="${y + 15}" fill="#222222">${escaped(text)}</text>`,
  ].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
