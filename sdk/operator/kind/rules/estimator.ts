import type { ASTNode } from '@marcbachmann/cel-js'
import type { Value } from './value.js'

/** The variables that an expression sees. */
export type Scope = Readonly<Record<string, Variable>>

/** A variable, and the path of its field. */
export interface Variable {
  readonly value: Value
  readonly path: string
}

/** An upper bound of the cost of an expression, in the units of Kubernetes, and of its value. */
export interface Estimate {
  readonly cost: number
  readonly value: Value
  /** The path of the field; empty if it is not a field. */
  readonly path: string
}

/** Estimates expressions, and records the lists and maps without a limit over which they iterate. */
export interface Estimator {
  estimate(node: ASTNode, scope: Scope): Estimate
  readonly unlimited: Set<string>
}

/** The part of the size of a text that reading it costs. */
export const textFactor = 0.1

/** `0 * Infinity` is nothing. */
export const times = (a: number, b: number) => (a === 0 || b === 0 ? 0 : a * b)
