import { isDnsLabel } from '../../engine/kube/dns-label.js'
import { PluginError } from '../../engine/kube/error.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import { type LabelSelector, labelSelectorRequirements } from '../../engine/kube/label-selector.js'
import { patternProblems, subdomainForm } from '../../engine/kube/label-syntax.js'
import type { JsonObject } from '../chart/json-object.js'
import { parseGoDuration } from '../values/go-duration.js'

/** The error for an invalid value of a key; the message says why it is invalid. */
export class ValueProblem extends Error {
  override readonly name = 'ValueProblem'
}

/** Checks a value from YAML and converts it to an option. Throws {@link ValueProblem}. */
export type ReadValue<T> = (value: unknown) => T

/** A value in messages. */
const shown = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

/** Text, not empty. Numbers are refused with what to write instead. */
export const readText: ReadValue<string> = (value) => {
  if (typeof value === 'string' && value !== '') return value
  if (value === undefined || value === null || value === '') throw new ValueProblem('it must not be empty')
  if (typeof value === 'object') throw new ValueProblem('it is not text')
  throw new ValueProblem(`${shown(value)} is not text; write "${String(value)}" with quotes`)
}

/** `''`, or a DNS subdomain. */
export const readGroup: ReadValue<string> = (value) => {
  if (value === '') return ''
  const text = readText(value)
  if (patternProblems(subdomainForm, text).length > 0)
    throw new ValueProblem(`${shown(text)} is not a DNS name, such as "cache.my.domain"`)
  return text
}

/** A version of an API. */
export const readVersion: ReadValue<string> = (value) => {
  if (typeof value === 'number')
    throw new ValueProblem(`the version is the number ${value}; write the text "v${value}"`)
  if (value === undefined || value === null || value === '')
    throw new ValueProblem('version must not be empty')
  const text = readText(value)
  if (!/^v[1-9]\d*(?:(?:alpha|beta)[1-9]\d*)?$/.test(text))
    throw new ValueProblem(`${shown(text)} is not a version, such as "v1" or "v1alpha1"`)
  return text
}

/** A kind. */
export const readKind: ReadValue<string> = (value) => {
  if (value === undefined || value === null || value === '') throw new ValueProblem('kind must not be empty')
  const text = readText(value)
  if (!/^[A-Z][A-Za-z0-9]{0,62}$/.test(text))
    throw new ValueProblem(`${shown(text)} is not a kind; write it in CamelCase, such as "Memcached"`)
  return text
}

/** A DNS label: the plural of a kind, a namespace. */
export const readLabel: ReadValue<string> = (value) => {
  const text = readText(value)
  if (!isDnsLabel(text))
    throw new ValueProblem(`${shown(text)} is not a DNS label: lower-case letters, digits and "-"`)
  return text
}

/** `true` or `false`. */
export const readBoolean: ReadValue<boolean> = (value) => {
  if (typeof value === 'boolean') return value
  throw new ValueProblem(`${shown(value)} is neither true nor false`)
}

/** A whole number that is not below a minimum. */
export const readInteger =
  (min: number): ReadValue<number> =>
  (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value
    throw new ValueProblem(`${shown(value)} is not a whole number from ${min} on`)
  }

/** One of several texts. */
export const readOneOf =
  <T extends string>(...texts: readonly T[]): ReadValue<T> =>
  (value) => {
    const permitted = texts.find((one) => one === value)
    if (permitted !== undefined) return permitted
    throw new ValueProblem(`${shown(value)} is not one of ${texts.map((one) => `"${one}"`).join(', ')}`)
  }

/** A duration of Go in milliseconds, not negative. */
export const readDurationMs: ReadValue<number> = (value) => {
  const ms = typeof value === 'string' ? parseGoDuration(value) : undefined
  if (ms === undefined)
    throw new ValueProblem(
      `${shown(value)} is not a duration; write a number with a unit, such as "60s" or "1m30s"`,
    )
  if (ms < 0) throw new ValueProblem(`${shown(value)} is negative`)
  return ms
}

/** A duration above zero. */
export const readPositiveDurationMs: ReadValue<number> = (value) => {
  const ms = readDurationMs(value)
  if (ms > 0) return ms
  throw new ValueProblem(`${shown(value)} is not above zero`)
}

/** A map. */
export const readMap: ReadValue<JsonObject> = (value) => {
  if (isJsonObject(value)) return value
  throw new ValueProblem(`${shown(value)} is not a map`)
}

const selectorKeys = ['matchLabels', 'matchExpressions']

/** A label selector. */
export const readSelector: ReadValue<LabelSelector> = (value) => {
  const selector = readMap(value)
  const unknown = Object.keys(selector).find((key) => !selectorKeys.includes(key))
  if (unknown !== undefined)
    throw new ValueProblem(
      `the key ${shown(unknown)} is not known; a selector has ${selectorKeys.join(' and ')}`,
    )
  const { matchLabels = {}, matchExpressions = [] } = selector
  if (!isJsonObject(matchLabels) || !Object.values(matchLabels).every((one) => typeof one === 'string'))
    throw new ValueProblem(`matchLabels is not a map of texts: ${shown(matchLabels)}`)
  if (!Array.isArray(matchExpressions) || !matchExpressions.every(isExpression))
    throw new ValueProblem(
      'matchExpressions is not a list of maps with key, operator and values, which are texts',
    )
  return checkedSelector(selector as LabelSelector)
}

function isExpression(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { key, operator, values = [] } = value
  const texts = [key, operator, ...(Array.isArray(values) ? values : [0])]
  return texts.every((one) => typeof one === 'string')
}

function checkedSelector(selector: LabelSelector): LabelSelector {
  try {
    labelSelectorRequirements(selector)
    return selector
  } catch (error) {
    if (error instanceof PluginError) throw new ValueProblem(error.message, { cause: error })
    throw error
  }
}
