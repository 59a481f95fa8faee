import type { Schema } from '../../schema/structural-schema.js'
import type { CelEnvironment } from './cel-library.js'
import { compileExpression } from './compile-rule.js'
import { ruleEnvironment } from './environment.js'
import { TypeDeclarations } from './typed-values.js'

/** The schemas of the objects that an expression of a policy sees. */
export interface CheckedTypes {
  readonly object: Schema
  /** The schema of parameters; `'unknown'` if their kind is not served, undefined without parameters. */
  readonly params: Schema | 'unknown' | undefined
}

/** Variables whose types are not checked. */
const untyped = ['request', 'namespaceObject', 'variables']

/**
 * Prepares the check of expressions of a policy against the schemas of objects. Its result is the compile error of an
 * expression, or undefined.
 */
export function typeChecker({ object, params }: CheckedTypes): (expression: string) => string | undefined {
  const environment = ruleEnvironment()
  const types = new TypeDeclarations(environment, false)
  const objectType = types.typeOf(object, true)?.name ?? 'dyn'
  const paramsType = typeof params === 'object' ? (types.typeOf(params, true)?.name ?? 'dyn') : 'dyn'
  let scope: CelEnvironment = untyped.reduce(
    (each, name) => each.registerVariable(name, 'dyn'),
    environment.clone(),
  )
  for (const name of ['object', 'oldObject']) scope = scope.registerVariable(name, objectType)
  if (params !== undefined) scope = scope.registerVariable('params', paramsType)
  return (expression) => {
    const compiled = compileExpression(expression, scope)
    return 'problem' in compiled ? compiled.problem : undefined
  }
}
