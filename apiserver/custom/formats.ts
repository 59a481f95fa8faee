import { isIP, isIPv4 } from 'node:net'
import { isIPv6 } from '../base/is-ipv6.js'
import type { Schema } from '../schema/structural-schema.js'
import { wrongType } from '../validation/field-error.js'
import { checkLabelName, checkSubdomainName } from '../validation/names.js'
import { fieldOf, type ValidationFinding } from './findings.js'

type Check = (text: string) => boolean

const matchesPattern =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text)

const uuidStart = '[0-9a-f]{8}-?[0-9a-f]{4}-?'
const uuid = (rest: string) => matchesPattern(new RegExp(`^${uuidStart}${rest}-?[0-9a-f]{12}$`, 'i'))
const datePattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const time = /^(\d{4}-\d{2}-\d{2})[tT ]\d{2}:\d{2}:\d{2}(\.\d+)?([zZ]|[+-]\d{2}:?\d{2})$/

function isDate(text: string): boolean {
  return datePattern.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
}

function isTime(text: string): boolean {
  const date = time.exec(text)?.[1]
  return date !== undefined && isDate(date)
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...excess] = text.split('/')
  const maxBits = isIPv4(address) ? 32 : isIP(address) === 6 ? 128 : -1
  return excess.length === 0 && /^\d+$/.test(bits) && Number(bits) <= maxBits
}

function isUri(text: string): boolean {
  return text.startsWith('/') || URL.canParse(text)
}

const isHostname: Check = (text) => {
  return text.length <= 255 && (label.test(text) || domain.test(text))
}

/** One label, or several, of which the last has only letters. */
const label = /^[a-zA-Z0-9\p{S}\p{L}](-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u
const domain =
  /^([a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63}$/u

/** The checked formats: those of Go's strfmt that schemas of custom resources may use. */
const checks: Readonly<Record<string, Check>> = {
  bsonobjectid: matchesPattern(/^[0-9a-f]{24}$/i),
  uri: isUri,
  email: matchesPattern(/^[^@\s<>]+@[^@\s<>]+$/),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: matchesPattern(/^([0-9a-f]{2}[:-]){5,7}[0-9a-f]{2}$/i),
  uuid: uuid('[0-9a-f]{4}-?[0-9a-f]{4}'),
  uuid3: uuid('3[0-9a-f]{3}-?[0-9a-f]{4}'),
  uuid4: uuid('4[0-9a-f]{3}-?[89ab][0-9a-f]{3}'),
  uuid5: uuid('5[0-9a-f]{3}-?[89ab][0-9a-f]{3}'),
  isbn: matchesPattern(/^(\d[- ]?){9}[\dX]$|^(\d[- ]?){12}\d$/),
  isbn10: matchesPattern(/^(\d[- ]?){9}[\dX]$/),
  isbn13: matchesPattern(/^(\d[- ]?){12}\d$/),
  creditcard: matchesPattern(/^(\D*\d){13,16}\D*$/),
  ssn: matchesPattern(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matchesPattern(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: matchesPattern(/^rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\)$/),
  byte: matchesPattern(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  password: () => true,
  date: isDate,
  duration: matchesPattern(/^[-+]?(\d+(\.\d+)?\s*(µs|[a-z]+)\s*)+$|^0$/),
  datetime: isTime,
  k8sshortname: (text) => checkLabelName(text) === undefined,
  k8slongname: (text) => checkSubdomainName(text) === undefined,
}
const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}

const normalizeFormat = (format: string) => format.replaceAll('-', '')

/** The format of a schema; `''` if there is none or it does not apply to the schema's type. */
export function formatOf({ type = '', format = '' }: Schema): string {
  if (type === '' || type === 'string') return Object.hasOwn(checks, normalizeFormat(format)) ? format : ''
  return numberFormats[type]?.includes(format) === true ? format : ''
}

/** Checks that a text has the format of its schema. */
export function checkFormat(value: string, schema: Schema, path: string): ValidationFinding | undefined {
  const format = formatOf(schema)
  const fits = checks[normalizeFormat(format)]?.(value) ?? true
  if (fits) return undefined
  const text = `${path} in body must be of type ${format}: ${JSON.stringify(value)}`
  return { text, error: wrongType(fieldOf(path), value, text) }
}
