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

/** Whether a schema has any rules. */
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

function compileTree(schema: Schema): RuleNode | undefined {
  const exact = compilerOf(schema, true)
  let plain: Compile | undefined
  return nodeOf(schema, (node) => {
    const compiled = exact(node)
    if (!compiled.rules.some(isAmbiguous)) return compiled
    plain ??= compilerOf(schema, false)
    const others = plain(node)
    const rules = compiled.rules.map((rule, index) =>
      isAmbiguous(rule) ? (others.rules[index] ?? rule) : rule,
    )
    return { type: others.type, rules }
  })
}

/** An empty list matches two operators if the schema has sets or map lists. */
function isAmbiguous({ problem = '', messageProblem = '' }: Compilation): boolean {
  return `${problem}${messageProblem}`.includes(' overlaps with ')
}

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

type Compile = (schema: Schema) => Pick<RuleNode, 'type' | 'rules'>

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
