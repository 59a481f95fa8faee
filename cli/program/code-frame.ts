import { readFileSync } from 'node:fs'

/** A position in a source file; lines and columns begin with 1. */
export interface SourcePosition {
  file: string
  line: number
  column: number
}

/** Lines before and after the one with the error. */
const contextLines = 2

/**
 * The lines around a position, with their numbers, and a caret below the column. Empty if the file or the line does not
 * exist.
 *
 * @example
 * ```
 *   2 | const a = 1
 * > 3 | const x = = 1
 *     |           ^
 * ```
 */
export function codeFrame({ file, line, column }: SourcePosition): string {
  const lines = linesOf(file)
  if (lines[line - 1] === undefined) return ''
  const first = Math.max(line - contextLines, 1)
  const shownLines = lines.slice(first - 1, line + contextLines)
  const width = String(first + shownLines.length - 1).length
  return shownLines
    .flatMap((text, index) => {
      const number = first + index
      const numbered = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`.trimEnd()
      return number === line ? [numbered, `${caretIndent(width)}${caretPadding(text, column)}^`] : [numbered]
    })
    .join('\n')
}

const caretIndent = (width: number) => `  ${' '.repeat(width)} | `

/** The space before a column, with the line's own tabs. */
const caretPadding = (text: string, column: number) => text.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    // The file may be gone by now.
    return []
  }
}
