import type { CelEnvironment } from '../cel-library.js'

/** Functions by their signature, for example `list<int>.sum(): int`; an exception is an error of the rule. */
export type FunctionLibrary = Readonly<Record<string, (...args: never[]) => unknown>>

/** Adds functions to an environment. */
export function addFunctions(environment: CelEnvironment, functions: FunctionLibrary): void {
  for (const [signature, handler] of Object.entries(functions)) {
    environment.registerFunction(signature, handler as (...args: unknown[]) => unknown, { async: false })
  }
}

/** A namespace of functions, such as `sets` in `sets.contains(a, b)`. */
export interface Namespace {
  readonly name: string
  /** Functions by their signature without the namespace. */
  readonly functions: FunctionLibrary
}

/** Adds a namespace with its functions. */
export function addNamespace(environment: CelEnvironment, { name, functions }: Namespace): void {
  const type = `${name}Namespace`
  const namespace = class {}
  environment.registerType(type, { ctor: namespace, fields: {} })
  environment.registerConstant(name, type, new namespace())
  const methods = Object.entries(functions).map(([signature, handler]) => [
    `${type}.${signature}`,
    (_namespace: never, ...args: never[]) => handler(...args),
  ])
  addFunctions(environment, Object.fromEntries(methods) as FunctionLibrary)
}
