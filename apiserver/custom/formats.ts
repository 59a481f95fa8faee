import type { Schema } from '../schema/structural-schema.js'
import { wrongType } from '../validation/field-error.js'
import { checkLabelName, checkSubdomainName } from '../validation/names.js'
import { fieldOf, type ValidationFinding } from './findings.js'
import { isLooseCidr, isLooseIPv4, isMac, isPlainIPv6 } from './loose-addresses.js'
import { isMailAddress } from './mail-address.js'
import { isCreditCard, isIsbn10, isIsbn13, isSsn } from './numbered-texts.js'
import { isRequestUri } from './request-uri.js'
import { isDate, isDateTime, isDuration } from './timed-texts.js'

type Check = (text: string) => boolean

const matchesPattern =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text)

const uuidStart = '[0-9a-f]{8}-?[0-9a-f]{4}-?'
const uuid = (rest: string) => matchesPattern(new RegExp(`^${uuidStart}${rest}-?[0-9a-f]{12}$`, 'i'))
const isHostname: Check = (text) => {
  return text.length <= 255 && (label.test(text) || domain.test(text))
}

/** One label, or several, of which the last has only letters. */
const label = /^[a-zA-Z0-9\p{S}\p{L}](-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u
const domain =
  /^([a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63}$/u

const colour = String.raw`\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`

/** The checked formats: those of Go's strfmt that schemas of custom resources may use. */
const checks: Readonly<Record<string, Check>> = {
  bsonobjectid: matchesPattern(/^[0-9a-f]{24}$/i),
  uri: isRequestUri,
  email: isMailAddress,
  hostname: isHostname,
  ipv4: isLooseIPv4,
  ipv6: isPlainIPv6,
  cidr: isLooseCidr,
  mac: isMac,
  uuid: uuid('[0-9a-f]{4}-?[0-9a-f]{4}'),
  uuid3: uuid('3[0-9a-f]{3}-?[0-9a-f]{4}'),
  uuid4: uuid('4[0-9a-f]{3}-?[89ab][0-9a-f]{3}'),
  uuid5: uuid('5[0-9a-f]{3}-?[89ab][0-9a-f]{3}'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: isSsn,
  hexcolor: matchesPattern(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: matchesPattern(new RegExp(String.raw`^rgb\(${colour},${colour},${colour}\)$`)),
  byte: matchesPattern(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
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
