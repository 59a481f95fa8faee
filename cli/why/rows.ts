import type { Screen } from '../terminal/screen.js'

/** A name, and its texts, each of one or more lines; without texts nothing is shown. */
export type Row = readonly [name: string, ...texts: readonly string[]]

/** Rows as lines of text, with the names in a column. */
export function rowsAs(rows: readonly Row[], { styled }: Pick<Screen, 'styled'>): string[] {
  return rows.flatMap(([name, ...texts]) =>
    texts
      .flatMap((text) => text.split('\n'))
      .map((text, at) => `${styled('dim', (at === 0 ? name : '').padEnd(10))}  ${text}`),
  )
}
