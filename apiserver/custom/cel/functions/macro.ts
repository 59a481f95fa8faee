/** A node of an expression, as far as macros look at it. */
export interface Expression {
  readonly op: string
  readonly args: unknown
}

/** A type as the CEL library's checker speaks of it. */
export interface CheckedType {
  readonly kind: string
  readonly name: string
  readonly keyType?: CheckedType
  readonly valueType?: CheckedType
}

/** The names an expression may use. */
export interface Scope {
  forkWithVariable(name: string, type: CheckedType): Scope
  reuse(outer: Scope): Scope
  setIterValue(value: unknown, evaluator: Evaluator): Scope
}

/** Finds out types before an expression runs. */
export interface Checker {
  check(expression: Expression, scope: Scope): CheckedType
  getType(name: string): CheckedType
  createError(code: string, message: string, at: Expression): Error
}

/** Runs expressions. */
export interface Evaluator {
  run(expression: Expression, scope: Scope): unknown
}

/** What the parser met. */
export interface MacroCall {
  readonly receiver: Expression
  readonly args: readonly Expression[]
  readonly ast: Expression
}

/** What becomes of a call whose arguments are not just values. */
export interface Macro {
  readonly async: false
  typeCheck(checker: Checker, macro: Macro, scope: Scope): CheckedType
  evaluate(evaluator: Evaluator, macro: Macro, scope: Scope): unknown
}

/** The name of a variable that a macro introduces. Throws when it is none. */
export function variableOf(expression: Expression | undefined): string {
  if (expression?.op === 'id') return String(expression.args)
  throw new Error('argument must be a simple name')
}
