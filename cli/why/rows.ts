import { escaped } from '../../sdk/engine/observe/log-text.js'
import type { Screen } from '../terminal/screen.js'

/** A name, and its texts, each of one or more lines; without texts nothing is shown. */
export type Row = readonly [name: string, ...texts: readonly string[]]

/** Rows as lines of text, with the names in a column. Tenants write some texts, so control characters are escaped. */
export function rowsAs(rows: readonly Row[], { styled }: Pick<Screen, 'styled'>): string[] {
  return rows.flatMap(([name, ...texts]) =>
    texts
      .flatMap((text) => text.split('\n'))
      .map((text, index) => `${styled('dim', (index === 0 ? name : '').padEnd(10))}  ${escaped(text)}`),
  )
}
