import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'

/** A text style of a terminal. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red'

/** Output for a user: lines, and a status text on a terminal. */
export interface Screen {
  line(text?: string): void
  /**
   * Shows a text below the lines until the next call; no text removes it. Does nothing if the output is not a terminal.
   */
  status(text?: string): void
  /** Removes all lines of a terminal; does nothing if the output is not a terminal. */
  clear(): void
  /** Whether {@link status} has an effect. */
  readonly showsStatus: boolean
  /** The text in a style, or the plain text if the output shows no styles. */
  styled(style: Style, text: string): string
}

/** See https://en.wikipedia.org/wiki/ANSI_escape_code, CR and EL */
const clearLine = '\r\u001b[2K'
/** The screen, the lines above it, and the cursor to the top: ED 2, ED 3 and CUP there. */
const clearAll = '\u001b[2J\u001b[3J\u001b[H'

/** The output of {@link createScreen}: standard output, or anything that accepts text. */
export type ScreenOutput = Pick<NodeJS.WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY'>>

/** A screen on `output`. Styles need a terminal that can show them, and `NO_COLOR` unset (https://no-color.org). */
export function createScreen(
  output: ScreenOutput = process.stdout,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Screen {
  const isTerminal = output.isTTY === true && env.TERM !== 'dumb'
  const shows = isTerminal && !env.NO_COLOR
  let status = ''
  const write = (text: string) => void output.write(`${status && clearLine}${text}`)
  return {
    showsStatus: isTerminal,
    line: (text = '') => write(`${text}\n${status}`),
    status(text = '') {
      if (!isTerminal || text === status) return
      write(text)
      status = text
    },
    clear() {
      if (isTerminal) output.write(`${clearAll}${status}`)
    },
    styled: (style, text) => (shows ? styleText(style, text, { validateStream: false }) : text),
  }
}

/** A duration as text: `9 ms` below a second, otherwise `1.4 s`. */
export function formatMs(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  return `${(durationMs / 1000).toFixed(1)} s`
}
