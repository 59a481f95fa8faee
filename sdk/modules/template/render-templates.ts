/**
 * Text templates in the strings of a spec: `{{ .config.a.b }}`, `{{ .releaseName }}`, `{{ .namespace }}` and `{{ randBase62 N }}`, and
 * nothing else. A string that is one expression keeps the type of the value; any other one stays text.
 */
import { PermanentError } from '../../kube/error.js'

/** The values that templates name. */
export interface TemplateValues {
  readonly config: Readonly<Record<string, unknown>>
  /** Default: the name is refused. */
  readonly releaseName?: string
  /** Default: the name is refused. */
  readonly namespace?: string
}

/** Draws a random text of letters and digits; the same one each time for a place in the spec. */
export type RandomText = (place: string, length: number) => string

/** Options of {@link renderTemplates}. */
export interface TemplateOptions {
  readonly values: TemplateValues
  readonly random: RandomText
  /** The name of the spec in messages, such as `spec.helm`. */
  readonly path: string
}

const expression = /\{\{(.*?)\}\}/gs
const oneExpression = /^\{\{((?:(?!\}\}).)*)\}\}$/s
const longestRandom = 256

/**
 * A copy of a spec with its templates rendered. Throws a `PermanentError` with the path of a template that is not known.
 *
 * @example
 * ```ts
 * const options = { values: { config: { size: 3 } }, random: () => '', path: 'spec.helm' }
 * renderTemplates({ replicas: '{{ .config.size }}' }, options) // { replicas: 3 }
 * ```
 */
export function renderTemplates(spec: unknown, options: TemplateOptions): unknown {
  const { path } = options
  if (typeof spec === 'string') return renderText(spec, options)
  if (Array.isArray(spec))
    return spec.map((item, at) => renderTemplates(item, { ...options, path: `${path}.${at}` }))
  if (typeof spec !== 'object' || spec === null) return spec
  return Object.fromEntries(
    Object.entries(spec).map(([name, value]) => [
      name,
      renderTemplates(value, { ...options, path: `${path}.${name}` }),
    ]),
  )
}

/** Whether a spec asks for random texts. */
export function hasRandomText(spec: unknown): boolean {
  if (typeof spec === 'string')
    return [...spec.matchAll(expression)].some(([, text = '']) => /^\s*randBase62\b/.test(text))
  return typeof spec === 'object' && spec !== null && Object.values(spec).some(hasRandomText)
}

function renderText(text: string, options: TemplateOptions): unknown {
  const whole = oneExpression.exec(text)
  if (whole) return expressionValue(whole[1] ?? '', `${options.path}#0`, options)
  let at = 0
  const rendered = text.replaceAll(expression, (_, inner: string) =>
    asText(expressionValue(inner, `${options.path}#${at++}`, options)),
  )
  const rest = text.replaceAll(expression, '')
  if (rest.includes('{{')) throw wrong(options.path, 'a template has no end: close it with }}')
  return rendered
}

/** The value of an expression. */
function expressionValue(inner: string, place: string, { values, random, path }: TemplateOptions): unknown {
  const text = inner.trim()
  const [, length] = /^randBase62 +(\d{1,4})$/.exec(text) ?? []
  if (length !== undefined) {
    if (Number(length) >= 1 && Number(length) <= longestRandom) return random(place, Number(length))
    throw wrong(path, `randBase62 makes 1 to ${longestRandom} characters, got ${length}`)
  }
  const names = /^(?:\.[A-Za-z_][\w-]*)+$/.test(text) ? text.slice(1).split('.') : []
  const found = names.length > 0 ? memberOf(values, names) : undefined
  if (found !== undefined) return found
  throw wrong(
    path,
    `the template {{${inner.slice(0, 100)}}} is unknown; known are ${knownNames(values).join(', ')} and randBase62 N`,
  )
}

function memberOf(values: TemplateValues, names: readonly string[]): unknown {
  let found: unknown = values
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found === values.config && names.length === 1 ? undefined : found
}

function knownNames({ config, ...others }: TemplateValues): string[] {
  const names = Object.entries(others).filter(([, value]) => value !== undefined)
  return [...Object.keys(config).map((name) => `.config.${name}`), ...names.map(([name]) => `.${name}`)]
}

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const wrong = (path: string, why: string) => new PermanentError(`${path}: ${why}`)
