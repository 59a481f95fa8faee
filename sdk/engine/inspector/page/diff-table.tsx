import { useState } from 'preact/hooks'
import type { DiffLine } from '../explanation-view.js'

/** Equal lines before and after a difference that are shown. */
const context = 3

/** Both objects side by side. Lines that only one has are coloured, except what the API servers decide. */
export function DiffTable({ lines }: { lines: readonly DiffLine[] }) {
  const [showsAll, setShowsAll] = useState(false)
  if (lines.length === 0) return null
  const shown = showsAll ? lines.map((line) => ({ line, hidden: 0 })) : foldEqualLines(lines)
  const hidden = shown.reduce((sum, row) => sum + row.hidden, 0)
  const caption = 'Both objects side by side'
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="scroll" tabIndex={0} aria-label={caption}>
        <table class="diff">
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Virtual</th>
              <th scope="col">Host</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <Row key={index} {...row} />
            ))}
          </tbody>
        </table>
      </section>
      {(hidden > 0 || showsAll) && (
        <button type="button" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Fold equal lines' : `Show ${hidden} equal lines`}
        </button>
      )}
    </>
  )
}

/** A line, or the number of lines that are left out. */
interface Shown {
  readonly line: DiffLine | undefined
  readonly hidden: number
}

/** The lines near a difference; longer runs of others are left out. */
function foldEqualLines(lines: readonly DiffLine[]): Shown[] {
  const isNear = lines.map(() => false)
  for (const [index, line] of lines.entries()) {
    if (!differs(line, 'virtual') && !differs(line, 'host')) continue
    isNear.fill(true, Math.max(0, index - context), index + context + 1)
  }
  const shown: Shown[] = []
  let hidden = 0
  const flush = () => {
    if (hidden > 0) shown.push({ line: undefined, hidden })
    hidden = 0
  }
  for (const [index, line] of lines.entries()) {
    if (!isNear[index]) hidden++
    else {
      flush()
      shown.push({ line, hidden: 0 })
    }
  }
  flush()
  return shown
}

function Row({ line, hidden }: Shown) {
  if (!line)
    return (
      <tr class="folded">
        <td colSpan={2}>{hidden} equal lines</td>
      </tr>
    )
  return (
    <tr>
      <td class={classOf(line, 'virtual')}>{line.virtual}</td>
      <td class={classOf(line, 'host')}>{line.host}</td>
    </tr>
  )
}

type Side = 'virtual' | 'host'

const isServerSet = ({ serverSet }: DiffLine, side: Side) => serverSet === 'both' || serverSet === side

/** Whether only this side has the line, and its author is not the API server. */
const differs = (line: DiffLine, side: Side) => !line.same && line[side] !== null && !isServerSet(line, side)

function classOf(line: DiffLine, side: Side): string {
  if (isServerSet(line, side)) return 'server-set'
  return differs(line, side) ? `${side}-only` : ''
}
