import type { ComponentChildren } from 'preact'

/** One column of a {@link Table}. */
export interface Column<T> {
  readonly title: string
  readonly cell: (item: T) => ComponentChildren
  /** `wide`: left out on narrow screens. `short`: also in one line. `number`: in one line, aligned to the right. */
  readonly layout?: 'wide' | 'short' | 'number'
}

/** On narrow screens a row is laid out as a block, which hides its role from screen readers unless it is named. */
const roleOf = (role: 'table' | 'rowgroup' | 'row' | 'columnheader' | 'cell') => ({ role })

/**
 * A table in a region that scrolls by itself; without rows a sentence. On narrow screens the cells of a row follow each
 * other, each with its column's title. With `isTitled` the heading above says the same as the caption, which is then
 * only for screen readers.
 */
export function Table<T>({
  caption,
  isTitled = false,
  columns,
  items,
  keyOf,
  empty,
}: {
  caption: string
  isTitled?: boolean
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
      <table class="rows" {...roleOf('table')}>
        <caption class={isTitled ? 'unseen' : undefined}>{caption}</caption>
        <Head columns={columns} />
        <tbody {...roleOf('rowgroup')}>
          {items.map((item) => (
            <tr key={keyOf(item)} {...roleOf('row')}>
              {columns.map(({ title, cell, layout }) => (
                <td key={title} class={classFor(layout)} data-title={title} {...roleOf('cell')}>
                  <div>{cell(item)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const classFor = (layout: Column<unknown>['layout']) => (layout === 'short' ? 'wide short' : layout)

function Head({ columns }: { columns: readonly Pick<Column<unknown>, 'title' | 'layout'>[] }) {
  return (
    <thead {...roleOf('rowgroup')}>
      <tr {...roleOf('row')}>
        {columns.map(({ title, layout }) => (
          <th key={title} scope="col" class={classFor(layout)} {...roleOf('columnheader')}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
