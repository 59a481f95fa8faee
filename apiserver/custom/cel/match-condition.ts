import type { CelEnvironment } from './cel-library.js'
import { type Compiled, compileExpression } from './compile-rule.js'
import { ruleEnvironment } from './environment.js'

let environment: CelEnvironment | undefined

/** The variables of match conditions of webhooks, except `authorizer`. */
function conditionEnvironment(): CelEnvironment {
  environment ??= ['object', 'oldObject', 'request'].reduce(
    (made, name) => made.registerVariable(name, 'dyn'),
    ruleEnvironment(),
  )
  return environment
}

/** Compiles a match condition of a webhook. */
export function compileCondition(expression: string): Compiled {
  const compiled = compileExpression(expression, conditionEnvironment())
  if ('problem' in compiled) return { problem: `compilation failed: ${compiled.problem}` }
  const { type } = compiled
  return type === 'bool' || type === 'dyn' ? compiled : { problem: `must evaluate to bool but got ${type}` }
}
