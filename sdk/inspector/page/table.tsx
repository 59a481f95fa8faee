import type { ComponentChildren } from 'preact'

/** One column of a {@link Table}. */
export interface Column<T> {
  readonly title: string
  readonly cell: (item: T) => ComponentChildren
  /** `wide`: left out on narrow screens. `number`: aligned to the right. */
  readonly look?: 'wide' | 'number'
}

/** A table in a region that scrolls by itself; without rows a sentence. */
export function Table<T>({
  caption,
  columns,
  items,
  keyOf,
  empty,
}: {
  caption: string
  columns: readonly Column<T>[]
  items: readonly T[]
  keyOf: (item: T) => string
  empty: string
}) {
  if (items.length === 0) return <p class="soft">{empty}</p>
  return (
    // A scrollable element must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="scroll" tabIndex={0} aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, look }) => (
              <th key={title} scope="col" class={look}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map(({ title, cell, look }) => (
                <td key={title} class={look}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
