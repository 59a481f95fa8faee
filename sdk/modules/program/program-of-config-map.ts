// Programs in ConfigMaps: one key, or parts of a program that is larger than one value may be.
import { ProgramError } from './program-error.js'
import { tooLargeError } from './unpack-program.js'

/** The fields of a ConfigMap that a program is read from. */
export interface ProgramConfigMap {
  readonly metadata?: { readonly name?: string; readonly namespace?: string }
  readonly data?: Readonly<Record<string, string>> | undefined
  readonly binaryData?: Readonly<Record<string, string>> | undefined
}

/** The name of a program in a ConfigMap, as messages show it. */
export function nameOfConfigMap({ metadata }: ProgramConfigMap, key: string): string {
  return `ConfigMap ${metadata?.namespace}/${metadata?.name}, key ${key}`
}

/**
 * Returns the content of `key`, or of its parts `key.0`, `key.1` and so on, from `data` or `binaryData`. Throws
 * `INVALID_PROGRAM` if the key or a part is missing, `PROGRAM_TOO_LARGE` beyond the limit.
 */
export function programOfConfigMap(configMap: ProgramConfigMap, key: string, limitBytes: number): Buffer {
  const name = nameOfConfigMap(configMap, key)
  const whole = contentOfKey(configMap, key)
  const parts = partsOf(configMap, key)
  if (whole && parts > 0)
    throw new ProgramError(
      'INVALID_PROGRAM',
      `${name}: both the key and parts of it exist; remove one of them`,
    )
  if (!whole && parts === 0) {
    const keys = Object.keys({ ...configMap.data, ...configMap.binaryData }).sort()
    throw new ProgramError('INVALID_PROGRAM', `${name}: missing; the keys are ${keys.join(', ') || '(none)'}`)
  }
  const content =
    whole ?? Buffer.concat(Array.from({ length: parts }, (_, index) => partOf(configMap, key, index, parts)))
  if (content.length > limitBytes) throw tooLargeError(name, limitBytes)
  return content
}

/** The expected number of parts: one more than the highest number of a part. */
function partsOf({ data, binaryData }: ProgramConfigMap, key: string): number {
  const numbers = Object.keys({ ...data, ...binaryData })
    .filter((name) => name.startsWith(`${key}.`) && /^(?:0|[1-9]\d{0,3})$/.test(name.slice(key.length + 1)))
    .map((name) => Number(name.slice(key.length + 1)))
  return numbers.reduce((most, number) => Math.max(most, number + 1), 0)
}

function partOf(configMap: ProgramConfigMap, key: string, index: number, parts: number): Buffer {
  const part = contentOfKey(configMap, `${key}.${index}`)
  if (part) return part
  throw new ProgramError(
    'INVALID_PROGRAM',
    `${nameOfConfigMap(configMap, `${key}.${index}`)}: missing; the program has ${parts} parts, ${key}.0 to ${key}.${parts - 1}`,
  )
}

function contentOfKey({ data, binaryData }: ProgramConfigMap, key: string): Buffer | undefined {
  if (data && Object.hasOwn(data, key)) return Buffer.from(data[key] ?? '', 'utf8')
  if (binaryData && Object.hasOwn(binaryData, key)) return Buffer.from(binaryData[key] ?? '', 'base64')
  return undefined
}
