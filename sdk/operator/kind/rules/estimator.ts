// The terms of the cost estimates of CEL rules. kube-apiserver refuses a CustomResourceDefinition whose rules could
// cost too much for the largest object that its schema allows; the estimates show it earlier.
import type { ASTNode } from '@marcbachmann/cel-js'
import { type CelType, type Declared, declaredAt } from './declared.js'
import { anySize, type EntrySizes, exactly, type Size } from './sizes.js'

/** The type of a value in an expression, its field in the object, and its size; unknown parts are left out. */
export interface Value {
  readonly type: CelType
  /**
   * The variable and the steps from it to the field, with `@items`, `@values` and `@keys` for elements; empty for a
   * value that is not a field. kube-apiserver takes these steps from the type of the rule for every variable.
   */
  readonly path: readonly string[]
  /** Absent if the size is unknown. */
  readonly size?: Size | undefined
  readonly entries?: EntrySizes | undefined
}

/** The variables that an expression sees. */
export type CelVariables = Readonly<Record<string, Value>>

/** The largest cost of an expression, in the units of Kubernetes, and its value. */
export interface Estimate extends Value {
  readonly cost: number
}

/** Estimates the expressions of one rule. */
export interface Estimator {
  /** The type that the rule belongs to. */
  readonly root: Declared
  estimate(node: ASTNode, scope: CelVariables): Estimate
  /** The parts of the expression whose cost is not known: the estimate holds if there are none. */
  readonly unknown: Set<string>
  /** The paths of lists and maps without a limit that the expression iterates over. */
  readonly unlimited: Set<string>
}

/** A type whose parts are unknown. */
export const typeOf = (name: string, element?: CelType): CelType => ({ name, ...(element && { element }) })

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])

const isScalar = ({ name, element }: CelType): boolean =>
  scalars.has(name) || (name === 'optional' && element !== undefined && isScalar(element))

/** The size of a value, as kube-apiserver determines it: by its field, else by its type, else by its expression. */
export function sizeOf(root: Declared, { type, path, size }: Value): Size | undefined {
  const field = declaredAt(root, path)
  if (field) return { min: 0, max: field.size }
  return isScalar(type) ? exactly(1) : size
}

/** The size of a value; anything if it is unknown. */
export const sizeOrAny = ({ size }: Value): Size => size ?? anySize
