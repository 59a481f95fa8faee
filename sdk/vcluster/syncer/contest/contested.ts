import type { KubeObject } from '../../../engine/kube/object.js'
import type { CopiedUp } from './contest-messages.js'
import type { FieldMove } from './field-exchange.js'

/** A copy as it is, and the wanted copy. */
export interface WantedCopy {
  readonly copy: KubeObject | undefined
  readonly wanted: KubeObject
  /** Whether the write announces a change of the host, so that another last synced state is expected; default false. */
  readonly announces?: boolean
  /** The object of the virtual cluster that gets the Event; default the original. */
  readonly named?: KubeObject
}

/** An original, its copy, and the fields to copy from one to the other. */
export interface FieldMoves {
  readonly virtual: KubeObject
  readonly host: KubeObject
  readonly moves: readonly FieldMove[]
  /** Returns the remembered fields of the copy. */
  readonly content: () => unknown
}

/** An original, its copy, and the fields of the original that differ from those of the copy. */
export type FieldsUp = Pick<FieldMoves, 'virtual' | 'host'> & {
  readonly part: CopiedUp
  /** The part of the copy, translated for the original. */
  readonly value: unknown
  readonly fields: readonly string[]
}

/** Fields that must not be written now. */
export interface Contested {
  /** The object of the virtual cluster that gets the Event. */
  readonly named: KubeObject
  /** The key of the copy, or another text for its deletions, an exchange, and what is copied to the original. */
  readonly id: string
  readonly fields: readonly string[]
  /** The message about some of the fields. */
  readonly messageFor: (fields: readonly string[]) => string
}
