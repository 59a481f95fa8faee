import type { OpenObject } from '../../base/object.js'

/** What a table says of a column. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format?: string
  /** Above 0 only with `kubectl get -o wide`. */
  readonly priority?: number
  readonly description?: string
}

/** What stands in one column for an object; `now` is the server's time, of which ages are told. */
export type Cell = (object: OpenObject, now: Date) => unknown

/** One column of a table. */
export interface Column extends ColumnDefinition {
  readonly cell: Cell
}

/** The cells of kinds that need more than their name and age, by collection and column. */
export type CellsByResource = Readonly<Record<string, Readonly<Record<string, Cell>>>>
