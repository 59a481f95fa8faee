import { badRequest } from './status.js'

/** Whether a boolean query parameter is on; a parameter without a value is. */
export function isOn(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0'
}

/** An integer of 64 bits; 0 without a value. Throws 400. */
export function readInteger(text: string | null): number {
  if (text === null || text === '') return 0
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`)
  if (BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) {
    throw badRequest(`strconv.ParseInt: parsing "${text}": value out of range`)
  }
  return Number(text)
}
