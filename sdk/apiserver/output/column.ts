import type { OpenObject } from '../kinds/kind-rules.js'

/** One column of a table. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly format?: string
  /** Above 0 only with `kubectl get -o wide`. */
  readonly priority?: number
  readonly description?: string
  cell(object: OpenObject, now: Date): unknown
}
