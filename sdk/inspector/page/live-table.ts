import { type Child, element } from './element.js'

/** One column of a {@link LiveTable}. */
export interface Column<T> {
  readonly title: string
  /** Text is brought up to date in place; a node is made once for each row, unless its text changes. */
  readonly cell: (item: T) => Child
  /** The class of its cells; default none. */
  readonly look?: (item: T) => string
}

/** Options of {@link LiveTable}. */
export interface LiveTableOptions<T> {
  caption: string
  columns: readonly Column<T>[]
  keyOf: (item: T) => string
  /** Said where there are no rows. */
  empty: string
}

/** A table that is filled again and again, and leaves the focus where it is. */
export class LiveTable<T> {
  readonly element: HTMLElement
  readonly #options: LiveTableOptions<T>
  readonly #body = element('tbody')
  readonly #empty: HTMLElement
  #rows = new Map<string, HTMLTableRowElement>()

  constructor(options: LiveTableOptions<T>) {
    this.#options = options
    const titles = options.columns.map(({ title }) => element('th', { scope: 'col' }, [title]))
    const table = element('table', {}, [
      element('caption', {}, [options.caption]),
      element('thead', {}, [element('tr', {}, titles)]),
      this.#body,
    ])
    this.#empty = element('p', { class: 'soft' }, [options.empty])
    // A scrollable element must be reachable by keyboard.
    this.element = element(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': options.caption },
      [table, this.#empty],
    )
  }

  show(items: readonly T[]): void {
    const rows = new Map<string, HTMLTableRowElement>()
    for (const item of items) rows.set(this.#options.keyOf(item), this.#row(item))
    for (const [key, row] of this.#rows) if (rows.get(key) !== row) row.remove()
    let at = 0
    for (const row of rows.values()) {
      const there = this.#body.rows[at++]
      if (there !== row) this.#body.insertBefore(row, there ?? null)
    }
    this.#rows = rows
    this.#empty.hidden = items.length > 0
  }

  #row(item: T): HTMLTableRowElement {
    const { keyOf, columns } = this.#options
    const row =
      this.#rows.get(keyOf(item)) ??
      element(
        'tr',
        {},
        columns.map(() => element('td')),
      )
    for (const [at, { cell, look }] of columns.entries()) {
      const place = row.cells[at]
      if (place) fill(place, cell(item), look?.(item) ?? '')
    }
    return row
  }
}

function fill(place: HTMLElement, content: Child, look: string): void {
  const text = typeof content === 'string' ? content : (content.textContent ?? '')
  if (place.className !== look) place.className = look
  if (place.hasChildNodes() && place.textContent === text) return
  place.replaceChildren(content)
}
