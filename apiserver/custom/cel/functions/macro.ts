/** The parts of an expression's node that macros use. */
export interface Expression {
  readonly op: string
  readonly args: unknown
}

/** A type of the CEL library's checker. */
export interface CheckedType {
  readonly kind: string
  readonly name: string
  readonly keyType?: CheckedType
  readonly valueType?: CheckedType
}

/** The variables of an expression. */
export interface Scope {
  forkWithVariable(name: string, type: CheckedType): Scope
  reuse(outer: Scope): Scope
  setIterValue(value: unknown, evaluator: Evaluator): Scope
}

/** Determines types before an expression runs. */
export interface Checker {
  check(expression: Expression, scope: Scope): CheckedType
  getType(name: string): CheckedType
  createError(code: string, message: string, node: Expression): Error
}

/** Runs expressions. */
export interface Evaluator {
  run(expression: Expression, scope: Scope): unknown
}

/** The macro call that the parser found. */
export interface MacroCall {
  readonly receiver: Expression
  readonly args: readonly Expression[]
  readonly ast: Expression
}

/** The expansion of a call whose arguments are expressions. */
export interface Macro {
  readonly async: false
  typeCheck(checker: Checker, macro: Macro, scope: Scope): CheckedType
  evaluate(evaluator: Evaluator, macro: Macro, scope: Scope): unknown
}

/** The name of a variable that a macro introduces. Throws if the argument is not a name. */
export function variableOf(expression: Expression | undefined): string {
  if (expression?.op === 'id') return String(expression.args)
  throw new Error('argument must be a simple name')
}
