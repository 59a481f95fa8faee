import { goRegExp } from '../../go-regexp.js'
import type { CelEnvironment } from '../cel-library.js'
import type { Checker, Expression, Macro, MacroCall, Scope } from './macro.js'

/**
 * Adds `text.matches(pattern)` with Go's patterns. It is a macro for lists, because the library has a
 * function for strings with JavaScript's patterns, and a macro of the same name has precedence.
 */
export function addMatches(environment: CelEnvironment): void {
  environment.registerFunction('list.matches(ast): bool', matches, { async: false })
}

function matches({ receiver, args: [pattern], ast }: MacroCall): Macro {
  const expression = pattern ?? ast
  return {
    async: false,
    typeCheck(checker, _macro, scope) {
      for (const text of [receiver, expression]) checkText(checker, text, scope)
      checkPattern(checker, expression)
      return checker.getType('bool')
    },
    evaluate(evaluator, _macro, scope) {
      const [text, source] = [evaluator.run(receiver, scope), evaluator.run(expression, scope)]
      if (typeof text !== 'string' || typeof source !== 'string') throw new Error('no such overload')
      return goRegExp(source).test(text)
    },
  }
}

function checkText(checker: Checker, expression: Expression, scope: Scope): void {
  const { kind, name } = checker.check(expression, scope)
  if (kind === 'dyn' || name === 'string') return
  throw checker.createError(
    'no_matching_overload',
    `found no matching overload for 'matches' on ${name}`,
    expression,
  )
}

/** A literal pattern is checked at compile time. */
function checkPattern(checker: Checker, { op, args }: Expression): void {
  if (op !== 'value' || typeof args !== 'string') return
  try {
    goRegExp(args)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw checker.createError('invalid_regular_expression', 'invalid matches argument', { op, args })
  }
}
