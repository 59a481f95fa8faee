/**
 * What an object says of others, from one cluster to the other: names, namespaces and selectors by the rules of its
 * kind, and a refusal of what has no rule.
 *
 * A name that is copied as it is means another object on the host: one of the vcluster's own, or another tenant's. So
 * what looks like a reference and is not known as one keeps the object from being copied.
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

  /** `references` `plain` looks at nothing; rules of one's own stand beside those of built-in kinds, and before them. */
  constructor(resource: Resource<T>, naming: HostNaming, references: References | 'plain' = {}) {
    const known = builtInReferences(resource)
    const isPlain = references === 'plain' || known === 'plain'
    this.#rules = isPlain ? { rule: 'plain', members: new Map() } : ruleTree({ ...known, ...references })
    this.#naming = naming
  }

  /**
   * `object`, which came from `virtual`, with references that mean the copies of what they meant. Throws
   * `PermanentError` for what it may not refer to, or what nobody said how to translate.
   */
  toHost(object: T): T {
    if (this.#rules.rule === 'plain') return object
    checkReferences(object, this.#rules)
    const translation = new HostReferences(this.#naming, object)
    return rewriteReferences(object, this.#rules, (field) => translation.translate(field)) as T
  }

  /**
   * The way back, for what of a host object is shown in the virtual cluster. What `virtual` itself refers to is known;
   * of anything else `findSource` is asked. Throws `PermanentError` for what is no copy of this vcluster.
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
