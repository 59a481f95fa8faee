import type { ASTNode } from '@marcbachmann/cel-js'
import { celLibrary } from '../cel-library.js'
import type { Expression, Macro } from './macro.js'

/** Internal members of a node of the library. */
interface MacroNode {
  readonly meta: { readonly macro?: Pick<Macro, 'typeCheck' | 'evaluate'> & { args?: readonly Expression[] } }
}

/**
 * Implements `has(object.field)` in a parsed expression: the field is a declared one, after any expression.
 * The library accepts only paths of names, and checks only their first name.
 */
export function replacePresenceTests(node: ASTNode): void {
  for (const inner of nodesIn(node.args)) replacePresenceTests(inner)
  if (node.op !== 'call' || node.args[0] !== 'has') return
  const { macro } = (node as unknown as MacroNode).meta
  const field = macro?.args?.[0]
  if (macro === undefined || field?.op !== '.' || !Array.isArray(field.args)) return
  const [object, name] = field.args as [Expression, string]
  macro.typeCheck = (checker, _macro, scope) => {
    checker.check(field, scope)
    return checker.getType('bool')
  }
  macro.evaluate = (evaluator, _macro, scope) => hasField(evaluator.run(object, scope), name)
}

function hasField(value: unknown, name: string): boolean {
  if (value instanceof celLibrary().Optional) return value.hasValue() && hasField(value.value(), name)
  if (value instanceof Map) return value.has(name)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no such overload')
  // The fields of objects are getters of their classes; those of map literals are own properties.
  const isLiteral = Object.getPrototypeOf(value) === Object.prototype
  return isLiteral ? Object.hasOwn(value, name) : (value as Record<string, unknown>)[name] !== undefined
}

/** The direct subexpressions of an expression. */
export function nodesIn(value: unknown): ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  return typeof value === 'object' && value !== null && 'op' in value ? [value as ASTNode] : []
}
