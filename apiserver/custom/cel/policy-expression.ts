import type { CelEnvironment } from './cel-library.js'
import { type Compiled, compileExpression } from './compile-rule.js'
import { ruleEnvironment } from './environment.js'

/** The place of an expression in an admission policy; it decides which variables there are. */
export interface PolicyScope {
  /** Whether the policy has parameters. */
  readonly hasParams: boolean
  /** The names of the variables of the policy that are declared before the expression. */
  readonly variables: readonly string[]
}

const USUAL = ['object', 'oldObject', 'request', 'namespaceObject', 'variables']

const environments = new Map<string, CelEnvironment>()

function environmentFor({ hasParams }: PolicyScope): CelEnvironment {
  const names = hasParams ? [...USUAL, 'params'] : USUAL
  const known = environments.get(names.join())
  if (known !== undefined) return known
  const made = names.reduce((each, name) => each.registerVariable(name, 'dyn'), ruleEnvironment())
  environments.set(names.join(), made)
  return made
}

/** Compiles an expression of an admission policy, with one of the allowed types of its result; any by default. */
export function compilePolicyExpression(expression: string, scope: PolicyScope, type?: string): Compiled {
  const unknown = unknownVariable(expression, scope)
  if (unknown !== undefined) return { problem: `compilation failed: ${unknown}` }
  const compiled = compileExpression(expression, environmentFor(scope))
  if ('problem' in compiled) return { problem: `compilation failed: ${compiled.problem}` }
  if (type === undefined || compiled.type === type || compiled.type === 'dyn') return compiled
  return { problem: `must evaluate to ${type} but got ${compiled.type}` }
}

/** The error of a variable that is not declared before the expression, in the layout of cel-go. */
function unknownVariable(expression: string, { variables }: PolicyScope): string | undefined {
  for (const found of expression.matchAll(/\bvariables\.([A-Za-z_]\w*)/g)) {
    const [, name = ''] = found
    if (variables.includes(name)) continue
    const before = expression.slice(0, found.index + 'variables'.length).split('\n')
    const column = before.at(-1)?.length ?? 0
    const line = expression.split('\n')[before.length - 1] ?? ''
    const place = `<input>:${before.length}:${column + 1}`
    return `ERROR: ${place}: undefined field '${name}'\n | ${line}\n | ${'.'.repeat(column)}^`
  }
  return undefined
}
