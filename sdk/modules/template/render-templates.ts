/**
 * Text templates in the strings of a spec: `{{ .config.a.b }}`, `{{ .releaseName }}`, `{{ .namespace }}` and `{{
 * randBase62 N }}`, with functions, pipelines and `if` as in Go's text/template. A string that consists of one
 * expression keeps the type of the value, and so does one that is an `if` whose branch is one; any other one stays
 * text.
 */
import { PermanentError } from '../../engine/kube/error.js'
import { callFunction, functionNames, isTrue, TemplateCallError, textOf } from './template-functions.js'
import { type Expression, parseTemplate, type TemplateNode } from './template-parser.js'
import { TemplateSyntaxError } from './template-tokens.js'
import { TextBudget } from './text-budget.js'

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

const maxRandomLength = 256

/**
 * A copy of a spec with its templates rendered. Throws a `PermanentError` with the path of a template that is not
 * known, or that exceeds the length that the templates of a spec may have together.
 *
 * @example
 * ```ts
 * const options = { values: { config: { size: 3 } }, random: () => '', path: 'spec.helm' }
 * renderTemplates({ replicas: '{{ .config.size }}' }, options) // { replicas: 3 }
 * ```
 */
export function renderTemplates(spec: unknown, options: TemplateOptions): unknown {
  return renderValue(spec, { ...options, budget: new TextBudget(options.path) })
}

/** Whether a spec asks for random texts. */
export function hasRandomText(spec: unknown): boolean {
  if (typeof spec === 'string') return spec.includes('{{') && /[\s(|{]randBase62\b/.test(spec)
  return typeof spec === 'object' && spec !== null && Object.values(spec).some(hasRandomText)
}

/** The field of a spec that is rendered. */
interface FieldScope extends TemplateOptions {
  readonly budget: TextBudget
}

function renderValue(value: unknown, field: FieldScope): unknown {
  const { path } = field
  if (typeof value === 'string') return renderText(value, field)
  if (Array.isArray(value))
    return value.map((item, index) => renderValue(item, { ...field, path: `${path}.${index}` }))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      renderValue(member, { ...field, path: `${path}.${name}` }),
    ]),
  )
}

function renderText(text: string, options: FieldScope): unknown {
  if (!text.includes('{{')) return text
  try {
    return valueOfNodes(parseTemplate(text), options)
  } catch (error) {
    if (error instanceof TemplateSyntaxError) throw templateError(options, error.message)
    throw error
  }
}

/** The text of nodes; the value of a single one. */
function valueOfNodes(nodes: readonly TemplateNode[], options: FieldScope): unknown {
  const [first] = nodes
  if (first && nodes.length === 1) return valueOfNode(first, options)
  return nodes.map((node) => textOf(valueOfNode(node, options))).join('')
}

function valueOfNode(node: TemplateNode, options: FieldScope): unknown {
  if (node.type === 'text') return node.text
  const scope: ActionScope = { ...options, source: node.source, place: `${options.path}#${node.actionIndex}` }
  if (node.type === 'output') return expressionValue(node.expression, scope)
  return valueOfNodes(isTrue(expressionValue(node.condition, scope)) ? node.then : node.otherwise, options)
}

/** The action of an expression: its source, and its name for random texts. */
interface ActionScope extends FieldScope {
  readonly source: string
  readonly place: string
}

function expressionValue(expression: Expression, scope: ActionScope): unknown {
  const value = evaluate(expression, scope)
  scope.budget.charge(value, scope)
  return value
}

function evaluate(expression: Expression, scope: ActionScope): unknown {
  if (expression.type === 'value') return expression.value
  if (expression.type === 'field') return fieldOf(expression.names, scope)
  const { name, args } = expression
  if ((name === 'and' || name === 'or') && args.length > 0) return firstOf(args, name === 'or', scope)
  const values = args.map((one) => expressionValue(one, scope))
  try {
    return name === 'randBase62' ? randomText(values, scope) : callFunction(name, values)
  } catch (error) {
    if (error instanceof TemplateCallError) throw unsupportedError(scope, error.message)
    throw error
  }
}

/** The first value whose truth is `wanted`, else the last value. Arguments after it are not evaluated. */
function firstOf(args: readonly Expression[], wanted: boolean, scope: ActionScope): unknown {
  let value: unknown
  for (const arg of args) {
    value = expressionValue(arg, scope)
    if (isTrue(value) === wanted) break
  }
  return value
}

function fieldOf(names: readonly string[], scope: ActionScope): unknown {
  const value = memberOf(scope.values, names)
  if (value !== undefined) return value
  throw unsupportedError(scope)
}

function randomText(values: readonly unknown[], { random, place }: ActionScope): string {
  const [length] = values
  const isLength = Number.isInteger(length) && Number(length) >= 1 && Number(length) <= maxRandomLength
  if (isLength && values.length === 1) return random(place, Number(length))
  throw new TemplateCallError(
    `randBase62 makes 1 to ${maxRandomLength} characters, got ${values.map(textOf).join(' ') || 'nothing'}`,
  )
}

function memberOf(values: TemplateValues, names: readonly string[]): unknown {
  let member: unknown = values
  for (const name of names) {
    if (typeof member !== 'object' || member === null || !Object.hasOwn(member, name)) return undefined
    member = (member as Record<string, unknown>)[name]
  }
  return member === values.config && names.length === 1 ? undefined : member
}

function knownNames({ config, ...others }: TemplateValues): string[] {
  const names = Object.entries(others).filter(([, value]) => value !== undefined)
  return [...Object.keys(config).map((name) => `.config.${name}`), ...names.map(([name]) => `.${name}`)]
}

const unsupportedError = (scope: ActionScope, why?: string) =>
  templateError(
    scope,
    `the template {{${scope.source.slice(0, 100)}}} is unknown${why === undefined ? '' : `: ${why}`}`,
  )

const templateError = ({ path, values }: TemplateOptions, why: string) =>
  new PermanentError(
    `${path}: ${why}; known are ${knownNames(values).join(', ')}, randBase62 N, if, and the functions ${functionNames.join(', ')}`,
  )
