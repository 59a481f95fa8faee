import { isJsonObject, type JsonObject, setMember } from '../../../engine/kube/json-object.js'
import type { ReferenceRule, RuleNode } from './reference-rules.js'
import { nodeBelow } from './reference-rules.js'

/** A member that has a rule. */
export interface FieldAt {
  readonly rule: ReferenceRule
  readonly name: string
  /** The object that has the member. */
  readonly holder: JsonObject
}

/** Returns the members of the holder that change. */
export type TranslateField = (field: FieldAt) => JsonObject | undefined

/**
 * A copy of a value in which `translate` has replaced the members that have a rule. Unchanged parts are
 * shared, and nothing is mutated. It goes no deeper than the rules do.
 */
export function rewriteReferences(value: unknown, node: RuleNode, translate: TranslateField): unknown {
  if (node.members.size === 0) return value
  if (Array.isArray(value)) return rewriteElements(value, node, translate)
  if (!isJsonObject(value)) return value
  const result = new RewrittenObject(value)
  for (const name of Object.keys(value)) {
    const below = nodeBelow(node, name)
    if (below) rewriteMember(result, { name, node: below }, translate)
  }
  return result.object
}

/** An object that is copied before its first change, and not for each: `[*]` may stand for many members of a map. */
class RewrittenObject {
  object: JsonObject
  #isCopied = false

  constructor(object: JsonObject) {
    this.object = object
  }

  set(name: string, value: unknown): void {
    if (this.object[name] === value) return
    if (!this.#isCopied) this.object = { ...this.object }
    this.#isCopied = true
    setMember(this.object, name, value)
  }
}

function rewriteElements(list: unknown[], node: RuleNode, translate: TranslateField): unknown[] {
  const below = nodeBelow(node, 0)
  if (!below) return list
  const rewritten = list.map((element) => rewriteReferences(element, below, translate))
  return rewritten.some((element, index) => element !== list[index]) ? rewritten : list
}

function rewriteMember(
  result: RewrittenObject,
  { name, node }: { name: string; node: RuleNode },
  translate: TranslateField,
): void {
  result.set(name, rewriteReferences(result.object[name], node, translate))
  const changed = node.rule && translate({ rule: node.rule, name, holder: result.object })
  for (const [member, value] of Object.entries(changed ?? {})) result.set(member, value)
}
