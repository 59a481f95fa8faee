/**
 * Translates an object's references from one cluster to the other: names, namespaces and selectors by the rules of its kind. It
 * refuses a reference that has no rule.
 *
 * A name that is copied unchanged would name another object on the host: one of the vcluster itself, or one of another tenant. So
 * an object with an unknown field that looks like a reference is not copied.
 */
import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import type { HostNaming } from '../../naming/naming.js'
import { builtInReferences } from './built-in-references.js'
import { checkReferences } from './check-references.js'
import { HostReferences } from './host-references.js'
import { type References, type RuleNode, ruleTree } from './reference-rules.js'
import { rewriteReferences } from './rewrite-references.js'
import { type FindSource, VirtualReferences } from './virtual-references.js'

/** Translates what the objects of one kind refer to. */
export class ReferenceTranslator<T extends KubeObject> {
  readonly #rules: RuleNode
  readonly #naming: HostNaming

  /**
   * `references` `plain` checks nothing; given rules are added to those of built-in kinds and take
   * precedence.
   */
  constructor(resource: Resource<T>, naming: HostNaming, references: References | 'plain' = {}) {
    const known = builtInReferences(resource)
    const isPlain = references === 'plain' || known === 'plain'
    this.#rules = isPlain ? { rule: 'plain', members: new Map() } : ruleTree({ ...known, ...references })
    this.#naming = naming
  }

  /**
   * `object`, which came from `virtual`, with references that mean the copies of what they meant. Throws
   * `PermanentError` for a reference that is not allowed or has no rule.
   */
  toHost(object: T): T {
    if (this.#rules.rule === 'plain') return object
    checkReferences(object, this.#rules)
    const translation = new HostReferences(this.#naming, object)
    return rewriteReferences(object, this.#rules, (field) => translation.translate(field)) as T
  }

  /**
   * Translates the references of a host object back, for content that is shown in the virtual cluster.
   * References of `virtual` itself are known; `findSource` looks up all others. Throws `PermanentError` for a
   * reference to an object that is not a copy of this vcluster.
   */
  async toVirtual(host: T, virtual: T, findSource: FindSource): Promise<T> {
    if (this.#rules.members.size === 0) return host
    const translation = new VirtualReferences(this.#naming, virtual)
    rewriteReferences(virtual, this.#rules, (field) => translation.learn(field))
    rewriteReferences(host, this.#rules, (field) => translation.miss(field))
    await translation.find(findSource)
    return rewriteReferences(host, this.#rules, (field) => translation.translate(field)) as T
  }
}
