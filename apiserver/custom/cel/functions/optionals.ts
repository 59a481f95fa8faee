import { type CelEnvironment, celLibrary } from '../cel-library.js'
import { isDuration, nanosOf } from '../equality-key.js'
import { type Macro, type MacroCall, type Scope, variableOf } from './macro.js'

/** The zero time of Go, in the year 1. */
const zeroTimeMs = -62_135_596_800_000

function isZero(value: unknown): boolean {
  if (value instanceof Date) return value.getTime() === zeroTimeMs
  if (isDuration(value)) return nanosOf(value) === 0n
  if (Array.isArray(value)) return value.length === 0
  if (value instanceof Map) return value.size === 0
  if (typeof value !== 'object' || value === null) return !value
  const isLiteral = Object.getPrototypeOf(value) === Object.prototype
  return isLiteral ? Object.keys(value).length === 0 : String(value) === '0'
}

/** Adds the functions of `cel.OptionalTypes` that the CEL library lacks. */
export function addOptionals(environment: CelEnvironment): void {
  const { Optional } = celLibrary()
  const ofNonZeroValue = (_namespace: unknown, value: unknown) =>
    isZero(value) ? Optional.none() : Optional.of(value)
  const signature = 'OptionalNamespace.ofNonZeroValue(A): optional<A>'
  environment.registerFunction(signature, ofNonZeroValue, { async: false })
  const add = (name: string, isFlat: boolean) =>
    environment.registerFunction(
      `optional.${name}(ast, ast): optional<dyn>`,
      (call: MacroCall) => mapOptional(call, isFlat),
      { async: false },
    )
  add('optMap', false)
  add('optFlatMap', true)
}

function mapOptional({ receiver, args: [variable, transform], ast }: MacroCall, isFlat: boolean): Macro {
  const { Optional } = celLibrary()
  const name = variableOf(variable)
  const result = transform ?? ast
  let inner: Scope | undefined
  return {
    async: false,
    typeCheck(checker, _macro, scope) {
      const { valueType = checker.getType('dyn') } = checker.check(receiver, scope)
      inner = scope.forkWithVariable(name, valueType)
      const type = checker.check(result, inner)
      return isFlat ? type : checker.getType(`optional<${type.name}>`)
    },
    evaluate(evaluator, _macro, scope) {
      const value = evaluator.run(receiver, scope)
      if (!(value instanceof Optional) || inner === undefined) throw new Error('no such overload')
      if (!value.hasValue()) return value
      const entered = inner.reuse(scope).setIterValue(value.value(), evaluator)
      const mapped = evaluator.run(result, entered)
      return isFlat ? mapped : Optional.of(mapped)
    },
  }
}
