import { type DecodeContext, refuse } from './decode-context.js'
import type { ScalarType } from './schema.js'
import { TypeMismatch } from './type-mismatch.js'
import { badBase64 } from './typed-scalars.js'

/** Reads bytes that are written as base64. */
export function readBytes(text: string, context: DecodeContext): string {
  const bad = badBase64(text)
  if (bad === undefined) return text
  const problem = `illegal base64 data at input byte ${bad}`
  if (context.isConverted) throw new TypeMismatch(`error decoding from json: ${problem}`)
  context.mismatches.push(new TypeMismatch(problem))
  return text
}

/** Reads bytes that are written as a list of numbers; null counts as 0. */
export function readByteList(values: readonly unknown[], context: DecodeContext): string {
  for (const value of values) if (value !== null && !isByte(value)) refuse(value, byte, context)
  return Buffer.from(values.map(Number)).toString('base64')
}

const byte: ScalarType = { form: 'int', goName: 'uint8' }
const isByte = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256
