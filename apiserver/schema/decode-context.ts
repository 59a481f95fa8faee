import type { ValueType } from './schema.js'
import { hasOwnDecoder, mismatchOf, type TypeMismatch } from './type-mismatch.js'

/** The position of a decoded value in its object, and the problems that the decoder collects. */
export interface DecodeContext {
  /** The Go type that has the field. */
  readonly goName: string
  /** The path of field names, without indices. */
  readonly path: string
  /** The path of field names with the indices of list elements. */
  readonly indexedPath: string
  /** The number of structs around the value. */
  readonly depth: number
  /** Collects unknown fields. */
  readonly unknown: string[]
  /** Numbers with a fraction or an exponent in the input, by {@link DecodeContext.indexedPath}. */
  readonly decimals: ReadonlyMap<string, string>
  /**
   * Whether Go converts the object from maps instead of decoding JSON, as for patched and applied objects.
   */
  readonly isConverted: boolean
  /** Mismatches that Go's decoder reports only if no other error follows. */
  readonly mismatches: TypeMismatch[]
}

/**
 * Notes or throws the mismatch of a value. Go's decoder stops only at types with their own decoder; its converter stops
 * at once.
 */
export function refuse(value: unknown, type: ValueType, context: DecodeContext): undefined {
  const mismatch = mismatchOf(value, type, context)
  if (context.isConverted || hasOwnDecoder(type)) throw mismatch
  context.mismatches.push(mismatch)
}
