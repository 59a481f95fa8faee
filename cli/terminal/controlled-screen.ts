import type { Screen, Style } from './screen.js'

/** The number of lines that are kept while the output is paused; the oldest ones are dropped first. */
const maxKept = 10_000

/** A screen that a user can pause, filter and clear. */
export class ControlledScreen implements Screen {
  readonly #screen: Screen
  #pausedLines: string[] | undefined
  #dropped = 0
  #filter = ''

  constructor(screen: Screen) {
    this.#screen = screen
  }

  get showsStatus(): boolean {
    return this.#screen.showsStatus
  }

  line(text = ''): void {
    if (!text.toLowerCase().includes(this.#filter)) return
    if (this.#pausedLines) this.#keep(text, this.#pausedLines)
    else this.#screen.line(text)
  }

  status(text?: string): void {
    this.#screen.status(this.#pausedLines ? undefined : text)
  }

  styled(style: Style, text: string): string {
    return this.#screen.styled(style, text)
  }

  clear(): void {
    this.#screen.clear()
  }

  /** Whether lines are kept back. */
  get isPaused(): boolean {
    return this.#pausedLines !== undefined
  }

  /** Keeps lines back from now on. */
  pause(): void {
    this.#pausedLines ??= []
    this.#screen.status()
  }

  /** Shows the lines that were kept back. Returns how many were dropped because there were too many. */
  resume(): number {
    const dropped = this.#dropped
    for (const text of this.#pausedLines ?? []) this.#screen.line(text)
    this.#pausedLines = undefined
    this.#dropped = 0
    return dropped
  }

  /** Shows only the lines that contain `text` from now on, in upper or lower case; an empty text shows all lines. */
  filter(text: string): void {
    this.#filter = text.toLowerCase()
  }

  #keep(text: string, pausedLines: string[]): void {
    pausedLines.push(text)
    if (pausedLines.length <= maxKept) return
    pausedLines.shift()
    this.#dropped++
  }
}
