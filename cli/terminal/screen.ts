import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'

/** How a piece of text may look on a terminal. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red'

/** Where `dev` speaks to its user: a line at a time. */
export interface Screen {
  line(text?: string): void
  /** On a terminal, shows a text below the lines until another takes its place, or none; elsewhere nothing. */
  status(text?: string): void
  /** Whether {@link status} is seen. */
  readonly showsStatus: boolean
  /** The text in a style where the output shows styles, else as it is. */
  styled(style: Style, text: string): string
}

/** See https://en.wikipedia.org/wiki/ANSI_escape_code, CR and EL */
const clearLine = '\r\u001b[2K'

/** What {@link createScreen} writes to: standard output, or anything that takes text. */
export type ScreenOutput = Pick<NodeJS.WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY'>>

/** A screen on `output`. Styles need a terminal that can show them and no `NO_COLOR` (https://no-color.org). */
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
    styled: (style, text) => (shows ? styleText(style, text, { validateStream: false }) : text),
  }
}

/** A duration for people: `9 ms` below a second, else `1.4 s`. */
export function formatMs(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  return `${(durationMs / 1000).toFixed(1)} s`
}
