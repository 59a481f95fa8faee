import type { ASTNode, ParseResult } from '@marcbachmann/cel-js'
import type { Rule } from '../../schema/structural-schema.js'
import type { CelEnvironment } from './cel-library.js'
import { compileErrorText } from './error-texts.js'
import { nodesIn, replacePresenceTests } from './functions/presence.js'
import type { ValueType } from './typed-values.js'

/** The input of a rule. */
export interface RuleInput {
  readonly self: unknown
  /** Not set if the rule does not use it, or if there is no old value. */
  readonly oldSelf?: unknown
}

/** A rule that can be evaluated. */
export interface CompiledRule {
  readonly rule: Rule
  /** Whether the rule is a transition rule. */
  readonly usesOldSelf: boolean
  /** Whether the rule holds. Throws the errors of the expression. */
  holds(input: RuleInput): boolean
  /** The result of `messageExpression`; throws its errors. Not set if there is none. */
  readonly message?: (input: RuleInput) => unknown
}

/** The result of compiling a rule. */
export interface Compilation {
  readonly compiled?: CompiledRule
  /** The error of an invalid rule. */
  readonly problem?: string
  /** The error of an invalid `messageExpression`. */
  readonly messageProblem?: string
}

/** Compiles rules for values of a type. */
export function compileRules(
  rules: readonly Rule[],
  type: ValueType,
  environment: CelEnvironment,
): Compilation[] {
  const scope = environment.clone().registerVariable('self', type.name)
  const usual = scope.clone().registerVariable('oldSelf', type.name)
  const optional = scope.clone().registerVariable('oldSelf', `optional<${type.name}>`)
  return rules.map((rule) => compileRule(rule, rule.optionalOldSelf === true ? optional : usual))
}

function compileRule(rule: Rule, environment: CelEnvironment): Compilation {
  const expression = compileExpression(rule.rule, environment)
  if ('problem' in expression) return { problem: `compilation failed: ${expression.problem}` }
  if (expression.type !== 'bool') return { problem: 'cel expression must evaluate to a bool' }
  const compiled = {
    rule,
    usesOldSelf: mentions(expression.program.ast, 'oldSelf'),
    holds: (input: RuleInput) => expression.program({ ...input }) === true,
  }
  const { messageExpression = '' } = rule
  if (messageExpression === '') return { compiled }
  const message = compileExpression(messageExpression, environment)
  if ('problem' in message)
    return { compiled, messageProblem: `messageExpression compilation failed: ${message.problem}` }
  if (message.type !== 'string')
    return { compiled, messageProblem: 'messageExpression must evaluate to a string' }
  return { compiled: { ...compiled, message: (input) => message.program({ ...input }) as unknown } }
}

/** An expression that can be run, with the type of its result, or the error of an invalid one. */
export type CompiledExpression =
  | { readonly program: ParseResult; readonly type: string }
  | { readonly problem: string }

/** The expression that a user wrote, if another one is compiled for it. */
export interface Origin {
  readonly text: string
  /** The offset in the text of an offset in the compiled expression. */
  offsetOf(offset: number): number
}

/** Compiles one expression. Errors show positions in the origin of the expression, if there is one. */
export function compileExpression(
  source: string,
  environment: CelEnvironment,
  origin?: Origin,
): CompiledExpression {
  try {
    const program = environment.parse(source)
    replacePresenceTests(program.ast)
    const { valid, type = '', error } = program.check()
    return valid ? { program, type } : problemOf(error, { source, environment, origin })
  } catch (error) {
    return problemOf(error, { source, environment, origin })
  }
}

interface FailedCompilation {
  readonly source: string
  readonly environment: CelEnvironment
  readonly origin: Origin | undefined
}

function problemOf(
  error: unknown,
  { source, environment, origin }: FailedCompilation,
): { readonly problem: string } {
  const functions = new Set(environment.getDefinitions().functions.map(({ name }) => name))
  return { problem: compileErrorText(error, { source, functions, ...(origin && { origin }) }) }
}

/** Whether an expression uses a variable. */
function mentions(node: ASTNode, name: string): boolean {
  return node.op === 'id' ? node.args === name : nodesIn(node.args).some((inner) => mentions(inner, name))
}
