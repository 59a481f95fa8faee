import type { ASTNode } from '@marcbachmann/cel-js'
import type { CompiledExpression } from './compile-rule.js'

/** Variables without a type, which have the members of any object. */
const untyped = new Set(['object', 'oldObject', 'params'])

/** The problem of an expression with another result than the allowed types; `undefined` if there is none. */
export function resultProblem(
  { program, type }: Extract<CompiledExpression, { type: string }>,
  allowed: readonly string[],
): string | undefined {
  // The library does not know the type of every result that cel-go knows, so not all `dyn` are errors.
  if (allowed.includes(type) || (type === 'dyn' && !isMember(program.ast))) return undefined
  const [only = ''] = allowed
  return `must evaluate to ${allowed.length === 1 ? only : `one of [${allowed.join(' ')}]`} but got ${type}`
}

/** Whether an expression is a member of an object without a type, which has no type in cel-go either. */
function isMember(node: ASTNode): boolean {
  if (node.op === 'id') return untyped.has(node.args)
  return (node.op === '.' || node.op === '[]') && isMember(node.args[0])
}
