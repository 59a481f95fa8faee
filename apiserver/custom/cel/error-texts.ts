/** The parts of an error of the CEL library from which messages are made. */
interface CelProblem {
  readonly name?: unknown
  readonly code?: unknown
  readonly summary?: unknown
  readonly message?: unknown
  readonly range?: { readonly start: number }
  readonly node?: { readonly args?: unknown }
}

const runtime: Readonly<Record<string, (summary: string) => string>> = {
  no_such_key: (summary) => summary.replace('No such key', 'no such key'),
  index_out_of_bounds: (summary) => `index out of bounds: ${/index (-?\d+)/.exec(summary)?.[1]}`,
  modulo_by_zero: () => 'modulus by zero',
  numeric_overflow: () => 'integer overflow',
  no_such_overload: () => 'no such overload',
  no_matching_overload: () => 'no such overload',
  invalid_logical_operand: () => 'no such overload',
  invalid_condition_type: () => 'no such overload',
}

/** The message of a runtime error, in the words of `common/types` of cel-go if it has the same error. */
export function runtimeErrorText(error: unknown): string {
  const { code, summary, message } = problemOf(error)
  const text = typeof summary === 'string' ? summary : String(message)
  return runtime[String(code)]?.(text) ?? text
}

/** An expression, and the names of the functions that it may call. */
export interface Source {
  readonly source: string
  readonly functions: ReadonlySet<string>
  /** The expression that a user wrote, if it is another one; see `compile-rule.ts`. */
  readonly origin?: { readonly text: string; offsetOf(offset: number): number }
}

/** The message of a compile error, in the layout of `common/errors.go` of cel-go. */
export function compileErrorText(error: unknown, { source, functions, origin }: Source): string {
  const { words, start } = locatedMessage(problemOf(error), { source, functions })
  const text = origin?.text ?? source
  const before = text.slice(0, origin?.offsetOf(start) ?? start).split('\n')
  const column = before.at(-1)?.length ?? 0
  const line = text.split('\n')[before.length - 1] ?? ''
  return `ERROR: <input>:${before.length}:${column + 1}: ${words}\n | ${line}\n | ${'.'.repeat(column)}^`
}

interface LocatedMessage {
  readonly words: string
  /** The position in the expression, from 0. */
  readonly start: number
}

/** The message and the position for common errors; for others, the CEL library's own message. */
function locatedMessage(
  { name, summary, message, range, node }: CelProblem,
  { source, functions }: Source,
): LocatedMessage {
  const text = typeof summary === 'string' ? summary : String(message)
  const start = range?.start ?? 0
  const [, field] = /^No such key: (.*)$/.exec(text) ?? []
  if (field !== undefined) return { words: `undefined field '${field}'`, start: dotBefore(source, start) }
  const [, variable] = /^Unknown variable: (.*)$/.exec(text) ?? []
  if (variable !== undefined) return { words: undeclared(variable), start }
  const [, leftType, operator, right] =
    /^no such overload: (.*) (==|!=|<=?|>=?|in|[+\-*/%]) (.*)$/.exec(text) ?? []
  if (operator !== undefined) {
    const words = `found no matching overload for '${operators[operator]}' applied to '(${typeName(leftType)}, ${typeName(right)})'`
    return { words, start: operatorAfter(source, node, operator) ?? start }
  }
  const [, called, types] = /^found no matching overload for '(?:\w+\.)?(\w+)(\(.*\))'$/.exec(text) ?? []
  if (called !== undefined) {
    const words = `found no matching overload for '${called}' applied to '${typeName(types)}'`
    return { words: functions.has(called) ? words : undeclared(called), start: source.indexOf('(', start) }
  }
  return name === 'ParseError' ? { words: `Syntax error: ${text}`, start } : { words: text, start }
}

const undeclared = (name: string) => `undeclared reference to '${name}' (in container '')`

const operators: Readonly<Record<string, string>> = {
  '==': '_==_',
  '!=': '_!=_',
  '<': '_<_',
  '<=': '_<=_',
  '>': '_>_',
  '>=': '_>=_',
  '+': '_+_',
  '-': '_-_',
  '*': '_*_',
  '/': '_/_',
  '%': '_%_',
  in: '@in',
}

const typeName = (name = '') => name.replaceAll('<', '(').replaceAll('>', ')')

/** The position of an invalid field is its dot. */
function dotBefore(source: string, start: number): number {
  const dot = source.lastIndexOf('.', start)
  return dot < 0 ? start : dot
}

/** The position of operands with invalid types is the operator between them. */
function operatorAfter(source: string, node: CelProblem['node'], operator: string): number | undefined {
  const leftNode: unknown = Array.isArray(node?.args) ? node.args[0] : undefined
  const isNode =
    typeof leftNode === 'object' && leftNode !== null && 'end' in leftNode && typeof leftNode.end === 'number'
  const operatorIndex = isNode ? source.indexOf(operator, leftNode.end as number) : -1
  return operatorIndex < 0 ? undefined : operatorIndex
}

function problemOf(error: unknown): CelProblem {
  return typeof error === 'object' && error !== null ? (error as CelProblem) : { message: error }
}
