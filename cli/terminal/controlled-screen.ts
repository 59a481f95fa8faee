import type { Screen, Style } from './screen.js'

/** The number of lines that are kept while the output is paused; the oldest ones are dropped first. */
const maxKept = 10_000

/** A screen that a user can pause, filter and clear. */
export class ControlledScreen implements Screen {
  readonly #screen: Screen
  #kept: string[] | undefined
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
    if (this.#kept) this.#keep(text, this.#kept)
    else this.#screen.line(text)
  }

  status(text?: string): void {
    this.#screen.status(this.#kept ? undefined : text)
  }

  styled(style: Style, text: string): string {
    return this.#screen.styled(style, text)
  }

  clear(): void {
    this.#screen.clear()
  }

  /** Whether lines are kept back. */
  get isPaused(): boolean {
    return this.#kept !== undefined
  }

  /** Keeps lines back from now on. */
  pause(): void {
    this.#kept ??= []
    this.#screen.status()
  }

  /** Shows the lines that were kept back. Returns how many were dropped because there were too many. */
  resume(): number {
    const dropped = this.#dropped
    for (const text of this.#kept ?? []) this.#screen.line(text)
    this.#kept = undefined
    this.#dropped = 0
    return dropped
  }

  /** Shows only the lines that contain `text` from now on, in upper or lower case; an empty text shows all lines. */
  filter(text: string): void {
    this.#filter = text.toLowerCase()
  }

  #keep(text: string, kept: string[]): void {
    kept.push(text)
    if (kept.length <= maxKept) return
    kept.shift()
    this.#dropped++
  }
}
