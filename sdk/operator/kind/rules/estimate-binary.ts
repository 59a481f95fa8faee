import type { ASTNode } from '@marcbachmann/cel-js'
import type { CelType } from './declared.js'
import {
  type CelVariables,
  type Estimate,
  type Estimator,
  sizeOf,
  sizeOrAny,
  typeOf,
  type Value,
} from './estimator.js'
import { noteOpen } from './note-open.js'
import { eitherEntries, partOf, textFactor } from './sizes.js'

/** The operands of an operator. */
interface Operands {
  readonly op: string
  readonly left: Estimate
  readonly right: Estimate
  readonly estimator: Estimator
}

const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>='])
/** Types of libraries whose values have a fixed size. */
const fixedTypes: ReadonlySet<string> = new Set(['quantity', 'ip', 'cidr', 'semver'])
/** The largest pattern by which two formats are compared, in characters. */
const maxFormatLength = 64

/** Estimates an operator with two operands. */
export function estimateBinary(node: ASTNode, scope: CelVariables, estimator: Estimator): Estimate {
  const [a, b] = node.args as [ASTNode, ASTNode]
  const operands = {
    op: node.op,
    left: estimator.estimate(a, scope),
    right: estimator.estimate(b, scope),
    estimator,
  }
  if (node.op === '[]' || node.op === '[?]') return estimateIndex(operands)
  if (node.op === '+') return estimatePlus(operands)
  const { left, right } = operands
  const operatorCost = node.op === '&&' || node.op === '||' ? 0 : ownCost(operands)
  return scalarOf(left.cost + right.cost + operatorCost, resultType(node.op, left.type))
}

const scalarOf = (cost: number, type: CelType): Estimate => ({
  cost,
  type,
  path: [],
  size: { min: 1, max: 1 },
})

const resultType = (op: string, left: CelType) => (['-', '*', '/', '%'].includes(op) ? left : typeOf('bool'))

function estimateIndex({ op, left, right, estimator }: Operands): Estimate {
  const cost = left.cost + right.cost + 1
  const type = left.type.element ?? typeOf('dyn')
  if (op === '[?]') return { cost, type: typeOf('optional', type), path: [] }
  if (left.type.name === 'optional') return { cost, type: left.type, path: [] }
  const value: Value = {
    type,
    path: [...left.path, left.type.name === 'list' ? '@items' : '@values'],
    size: left.entries?.value,
  }
  return { ...value, cost, size: left.entries?.value ?? sizeOf(estimator.root, value) }
}

function estimatePlus({ left, right }: Operands): Estimate {
  const cost = left.cost + right.cost
  const [a, b] = [sizeOrAny(left), sizeOrAny(right)]
  const size = { min: a.min + b.min, max: a.max + b.max }
  const type = left.type.name === 'dyn' ? right.type : left.type
  if (type.name === 'list')
    return { cost: cost + 1, type, path: [], size, entries: eitherEntries(left.entries, right.entries) }
  if (type.name !== 'string' && type.name !== 'bytes' && type.name !== 'dyn')
    return scalarOf(
      cost + 1,
      type.name === 'timestamp' ? type : right.type.name === 'timestamp' ? right.type : type,
    )
  const comparisonCost = partOf(size.max, textFactor)
  return {
    cost: cost + (type.name === 'dyn' ? Math.max(1, comparisonCost) : comparisonCost),
    type,
    path: [],
    size,
  }
}

function ownCost({ op, left, right, estimator }: Operands): number {
  const smaller = Math.min(sizeOrAny(left).max, sizeOrAny(right).max)
  if (op === '==' && left.type.name === right.type.name) {
    if (fixedTypes.has(left.type.name)) return 1
    if (left.type.name === 'format') return partOf(maxFormatLength, textFactor)
  }
  if (op === '==' || op === '!=') return partOf(smaller, textFactor)
  if (comparisons.has(op)) return isText(left.type, right.type) ? partOf(smaller, textFactor) : 1
  if (op !== 'in' || right.type.name === 'map') return 1
  noteOpen(right, estimator)
  return sizeOrAny(right).max
}

function isText(...types: readonly CelType[]): boolean {
  return (
    types.some(({ name }) => name === 'string' || name === 'bytes') ||
    types.every(({ name }) => name === 'dyn')
  )
}
