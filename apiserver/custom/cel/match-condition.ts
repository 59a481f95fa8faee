import type { CelEnvironment } from './cel-library.js'
import { type CompiledExpression, compileExpression } from './compile-rule.js'
import { ruleEnvironment } from './environment.js'
import { resultProblem } from './result-type.js'

const standardVariables = ['object', 'oldObject', 'request']

const environments = new Map<boolean, CelEnvironment>()

/** The environment of match conditions. It has all their variables except `authorizer`. */
function conditionEnvironment(hasParams: boolean): CelEnvironment {
  const existing = environments.get(hasParams)
  if (existing !== undefined) return existing
  const names = hasParams ? [...standardVariables, 'params'] : standardVariables
  const environment = names.reduce((each, name) => each.registerVariable(name, 'dyn'), ruleEnvironment())
  environments.set(hasParams, environment)
  return environment
}

/** Compiles a match condition of a webhook, or of a policy, which may have parameters. */
export function compileCondition(expression: string, hasParams = false): CompiledExpression {
  const compiled = compileExpression(expression, conditionEnvironment(hasParams))
  if ('problem' in compiled) return { problem: `compilation failed: ${compiled.problem}` }
  const problem = resultProblem(compiled, ['bool'])
  return problem === undefined ? compiled : { problem }
}
