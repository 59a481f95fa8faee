/** A line of a recorded terminal. */
export interface RecordedLine {
  /** Milliseconds since the start. */
  atMs: number
  text: string
}

const columns = 100
const lineHeight = 18
const charWidth = 7.8
const margin = 14
/** A longer silence is shortened to this. */
const maxPauseMs = 1500
/** The time before the first line appears. */
const firstMs = 300

const styles: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^[$#] /, 'typed'],
  [/cannot be loaded|^ +\d* *\|.*\^$|^ +> /, 'red'],
  [/ {2}(created|repaired)( |$)|mirrored;/, 'green'],
  [/ {2}(updated|changed)( |$)/, 'yellow'],
]

const css = `text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#c9d1d9;white-space:pre}
.typed{fill:#79c0ff}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}
.l{opacity:0;animation:show 1ms linear forwards}
@keyframes show{to{opacity:1}}
@media (prefers-reduced-motion:reduce){.l{opacity:1;animation:none}}`

/** A recording as an SVG whose lines appear one after the other, once. Its text can be read and copied. */
export function animatedSvg(title: string, lines: readonly RecordedLine[]): string {
  const width = Math.ceil(columns * charWidth + 2 * margin)
  const height = lines.length * lineHeight + 2 * margin
  const times = shownTimes(lines)
  const texts = lines.map(({ text }, index) => {
    const style = styles.find(([pattern]) => pattern.test(text))?.[1]
    const y = margin + (index + 0.75) * lineHeight
    const names = ['l', ...(style ? [style] : [])].join(' ')
    return `<text class="${names}" x="${margin}" y="${y}" style="animation-delay:${times[index]}ms">${escaped(clipped(text))}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title)}</title>
<style>${css}</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${texts.join('\n')}
</svg>
`
}

/** When each line appears, with long silences shortened. */
function shownTimes(lines: readonly RecordedLine[]): number[] {
  let shownMs = firstMs
  return lines.map(({ atMs }, index) => {
    const beforeMs = lines[index - 1]?.atMs ?? atMs
    shownMs += Math.min(Math.max(atMs - beforeMs, 0), maxPauseMs)
    return Math.round(shownMs)
  })
}

const clipped = (text: string) => (text.length > columns ? `${text.slice(0, columns - 1)}…` : text)

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0')
