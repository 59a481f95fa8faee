import { additionalOf, type Schema } from '../../schema/structural-schema.js'
import { reuseByContent } from '../reuse-by-content.js'
import { type Compilation, compileRules } from './compile-rule.js'
import { ruleEnvironment } from './environment.js'
import { TypeDeclarations, type ValueType } from './typed-values.js'

/** A schema node with its own rules or rules below it. */
export interface RuleNode {
  readonly schema: Schema
  readonly type: ValueType | undefined
  /** The compiled rules of this node. */
  readonly rules: readonly Compilation[]
  readonly properties: ReadonlyMap<string, RuleNode>
  readonly additional: RuleNode | undefined
  readonly items: RuleNode | undefined
}

/** Compiles the rules of one node. */
type Compile = (schema: Schema) => Pick<RuleNode, 'type' | 'rules'>

/** Whether a schema has any rules, or a schema below it. */
function hasRules(schema: Schema | undefined): boolean {
  if (schema === undefined) return false
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) return true
  return (
    hasRules(schema.items) ||
    hasRules(additionalOf(schema)) ||
    Object.values(schema.properties ?? {}).some(hasRules)
  )
}

/** Compiles the rules of a whole schema; undefined if there are none. */
export const ruleTree = (schema: Schema): RuleNode | undefined =>
  hasRules(schema) ? compiledTree(schema) : undefined

const compiledTree = reuseByContent(compileTree)

/**
 * Compiles every node with types of their own for sets and map lists. A rule that is ambiguous with these types is
 * compiled with plain lists.
 */
function compileTree(schema: Schema): RuleNode | undefined {
  const compileExact = compilerOf(schema, true)
  let compileWithPlainLists: Compile | undefined
  return nodeOf(schema, (node) => {
    const exact = compileExact(node)
    if (!exact.rules.some(isAmbiguous)) return exact
    compileWithPlainLists ??= compilerOf(schema, false)
    const plain = compileWithPlainLists(node)
    const rules = exact.rules.map((rule, index) => (isAmbiguous(rule) ? (plain.rules[index] ?? rule) : rule))
    return { type: plain.type, rules }
  })
}

/** Whether a rule has an empty list, which matches two operators if the schema has sets or map lists. */
function isAmbiguous({ problem = '', messageProblem = '' }: Compilation): boolean {
  return `${problem}${messageProblem}`.includes(' overlaps with ')
}

/** Declares the types of a schema and returns a function that compiles the rules of its nodes. */
function compilerOf(schema: Schema, hasListKinds: boolean): Compile {
  const environment = ruleEnvironment()
  const types = new TypeDeclarations(environment, hasListKinds)
  types.typeOf(schema, true)
  // Every type is declared before the first rule is compiled, because an environment accepts no more types
  // after it was copied.
  declareAll(schema, types)
  return (node) => {
    const type = types.typeOf(node)
    const rules = node['x-kubernetes-validations'] ?? []
    return { type, rules: type === undefined ? [] : compileRules(rules, type, environment) }
  }
}

function declareAll(schema: Schema, types: TypeDeclarations): void {
  if (!hasRules(schema)) return
  types.typeOf(schema)
  for (const child of [schema.items, additionalOf(schema), ...Object.values(schema.properties ?? {})]) {
    if (child !== undefined) declareAll(child, types)
  }
}

/** Makes the tree of a schema; undefined if no node in it has rules. */
function nodeOf(schema: Schema | undefined, compile: Compile): RuleNode | undefined {
  if (schema === undefined || !hasRules(schema)) return undefined
  const properties = new Map<string, RuleNode>()
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const node = nodeOf(property, compile)
    if (node !== undefined) properties.set(name, node)
  }
  return {
    schema,
    ...compile(schema),
    properties,
    additional: nodeOf(additionalOf(schema), compile),
    items: nodeOf(schema.items, compile),
  }
}
