import { badRequest } from './status.js'

/** Whether a boolean query parameter is true; a parameter without a value is true. */
export function isTrueParameter(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0'
}

/** A 64-bit integer; 0 if there is no value. Throws 400. */
export function readInteger(text: string | null): number {
  if (text === null || text === '') return 0
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`)
  if (BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) {
    throw badRequest(`strconv.ParseInt: parsing "${text}": value out of range`)
  }
  return Number(text)
}
