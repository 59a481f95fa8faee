import type { OpenObject } from '../../base/object.js'

/** The definition of a column in a table. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format?: string
  /** 0, the default, for every table; above 0 for a column that only `kubectl get -o wide` shows. */
  readonly priority?: number
  readonly description?: string
}

/** The cell of an object in one column; `now` is the server's time, for ages. */
export type Cell = (object: OpenObject, now: Date) => unknown

/** One column of a table. */
export interface Column extends ColumnDefinition {
  readonly cell: Cell
}

/** The cells of kinds that need more than their name and age, by collection and column. */
export type CellsByResource = Readonly<Record<string, Readonly<Record<string, Cell>>>>
