import type { Screen } from '../terminal/screen.js'

/** A name, and a line for each text; without texts nothing is shown. */
export type Row = readonly [name: string, ...texts: readonly string[]]

/** Rows as lines of text, with the names in a column. */
export function rowsAs(rows: readonly Row[], { styled }: Pick<Screen, 'styled'>): string[] {
  return rows.flatMap(([name, ...texts]) =>
    texts.map((text, at) => `${styled('dim', (at === 0 ? name : '').padEnd(10))}  ${text}`),
  )
}
