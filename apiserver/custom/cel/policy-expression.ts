import { recordOf } from '../../base/object.js'
import type { CelEnvironment } from './cel-library.js'
import { type CompiledExpression, compileExpression } from './compile-rule.js'
import { ruleEnvironment } from './environment.js'
import { addNamespace } from './functions/function-library.js'
import { withMapLiterals } from './object-literals.js'
import { resultProblem } from './result-type.js'

/** The place of an expression in an admission policy; it decides which variables there are. */
export interface PolicyScope {
  /** Whether the policy has parameters. */
  readonly hasParams: boolean
  /** The names of the variables of the policy that are declared before the expression. */
  readonly variables: ReadonlySet<string>
  /** Whether the expression is a mutation, which may have literals of types and `jsonpatch.escapeKey`. */
  readonly isMutation?: boolean
}

const namesOfLists = new WeakMap<object, ReadonlySet<string>>()

/** The names of the variables of a policy. They are read once, because each of many expressions needs them. */
export function variableNames(variables: unknown): ReadonlySet<string> {
  if (!Array.isArray(variables)) return new Set()
  const known = namesOfLists.get(variables)
  if (known !== undefined) return known
  const names = new Set(variables.map((variable) => String(recordOf(variable).name)))
  namesOfLists.set(variables, names)
  return names
}

const standardVariables = ['object', 'oldObject', 'request', 'namespaceObject', 'variables']

const environments = new Map<string, CelEnvironment>()

function environmentFor({ hasParams, isMutation = false }: PolicyScope): CelEnvironment {
  const key = `${hasParams} ${isMutation}`
  const existing = environments.get(key)
  if (existing !== undefined) return existing
  const names = hasParams ? [...standardVariables, 'params'] : standardVariables
  const environment = names.reduce((each, name) => each.registerVariable(name, 'dyn'), ruleEnvironment())
  if (isMutation)
    addNamespace(environment, { name: 'jsonpatch', functions: { 'escapeKey(string): string': escapeKey } })
  environments.set(key, environment)
  return environment
}

/** A key as a segment of a JSON pointer (RFC 6901). */
const escapeKey = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** Compiles an expression of an admission policy, with the allowed types of its result; any by default. */
export function compilePolicyExpression(
  expression: string,
  scope: PolicyScope,
  types: readonly string[] = [],
): CompiledExpression {
  const unknown = unknownVariable(expression, scope)
  if (unknown !== undefined) return { problem: `compilation failed: ${unknown}` }
  const literals = scope.isMutation === true ? withMapLiterals(expression) : undefined
  const origin = literals && { text: expression, offsetOf: (offset: number) => literals.offsetOf(offset) }
  const compiled = compileExpression(literals?.text ?? expression, environmentFor(scope), origin)
  if ('problem' in compiled) return { problem: `compilation failed: ${compiled.problem}` }
  const problem = types.length === 0 ? undefined : resultProblem(compiled, types)
  return problem === undefined ? compiled : { problem }
}

/** The error of a variable that is not declared before the expression, in the layout of cel-go. */
function unknownVariable(expression: string, { variables }: PolicyScope): string | undefined {
  for (const match of expression.matchAll(/\bvariables\.([A-Za-z_]\w*)/g)) {
    const [, name = ''] = match
    if (variables.has(name)) continue
    const before = expression.slice(0, match.index + 'variables'.length).split('\n')
    const column = before.at(-1)?.length ?? 0
    const line = expression.split('\n')[before.length - 1] ?? ''
    const position = `<input>:${before.length}:${column + 1}`
    return `ERROR: ${position}: undefined field '${name}'\n | ${line}\n | ${'.'.repeat(column)}^`
  }
  return undefined
}
