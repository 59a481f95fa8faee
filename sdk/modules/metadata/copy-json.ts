import { MetaDataError } from './metadata-error.js'

/** A value that JSON keeps as it is. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** The maximum depth of nesting, because other programs cannot read deeper values. */
const maxLevels = 100

/**
 * Copies a value. Refuses, by its path, every part that JSON would lose or change: functions, `NaN`, dates, maps,
 * `undefined` in lists, cycles. Members of objects that are `undefined` are left out. `ancestors` are the objects and
 * lists that contain the value. Called with each value that a manager stores.
 */
export function copyJson(value: unknown, path: string, ancestors: readonly object[] = []): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return copyNumber(value, path)
  if (typeof value !== 'object')
    throw refusedError(path, value === undefined ? 'undefined' : `a ${typeof value}`)
  if (ancestors.includes(value)) throw refusedError(path, 'a cycle: the value contains itself')
  if (ancestors.length >= maxLevels) throw refusedError(path, `nested more than ${maxLevels} levels deep`)
  const containers = [...ancestors, value]
  if (Array.isArray(value))
    return Array.from(value, (item, index) => copyJson(item, `${path}[${index}]`, containers))
  return copyObject(value, path, containers)
}

/** Throws for a key with a special meaning in JavaScript, such as `__proto__`. */
export function checkKey(key: string, path: string): void {
  if (key === '__proto__') throw refusedError(path, 'named __proto__')
}

function copyNumber(value: number, path: string): number {
  if (!Number.isFinite(value)) throw refusedError(path, String(value))
  return Object.is(value, -0) ? 0 : value
}

function copyObject(value: object, path: string, containers: readonly object[]): JsonValue {
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object of another realm has another Object.prototype, whose own prototype is null.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  if (!isPlain) throw refusedError(path, `a ${value.constructor?.name || 'class instance'}`)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const copied = members.map(([key, member]): [string, JsonValue] => {
    checkKey(key, `${path}.${key}`)
    return [key, copyJson(member, `${path}.${key}`, containers)]
  })
  return Object.fromEntries(copied)
}

function refusedError(path: string, what: string): MetaDataError {
  return new MetaDataError(
    'INVALID_METADATA',
    `metadata ${path} is ${what}, which JSON does not keep; convert it to text, numbers, lists or plain objects first`,
  )
}
