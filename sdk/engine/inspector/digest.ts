import { createHmac, randomBytes } from 'node:crypto'
import { stringifyJson } from '../kube/json.js'

/** Known only to this process: a hash shows whether two values are equal, and cannot be used to guess a value. */
const salt = randomBytes(32)

/** The size and a salted hash of a value that may not be shown. */
export function digest(value: unknown): string {
  const text = typeof value === 'string' ? value : stringifyJson(value)
  const hash = createHmac('sha256', salt).update(text).digest('hex').slice(0, 12)
  return `<${Buffer.byteLength(text)} bytes, hash ${hash}>`
}
