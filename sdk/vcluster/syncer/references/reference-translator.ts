/**
 * Translates an object's references from one cluster to the other: names, namespaces and selectors by the rules of its
 * kind. It refuses a reference that has no rule.
 *
 * A name that is copied unchanged would name another object on the host: one of the vcluster itself, or one of another
 * tenant. So an object with an unknown field that looks like a reference is not copied.
 */
import { ingresses } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import type { HostNaming } from '../../naming/naming.js'
import { isAlbAnnotation, withHostAlbAnnotations } from './alb-annotations.js'
import { builtInReferences } from './built-in-references.js'
import { checkReferences } from './check-references.js'
import { HostReferences } from './host-references.js'
import type { PathSegment } from './reference-path.js'
import { type References, type RuleNode, ruleTree } from './reference-rules.js'
import { rewriteReferences } from './rewrite-references.js'
import { type FindSource, VirtualReferences } from './virtual-references.js'

/** Translates the references of the objects of one kind. */
export class ReferenceTranslator<T extends KubeObject> {
  readonly #isIngress: boolean
  readonly #rules: RuleNode
  /** The rules without those of labels and annotations. */
  readonly #content: RuleNode
  /** The rules for content that is copied to the host, which excludes the status. */
  readonly #down: RuleNode
  readonly #naming: HostNaming

  /**
   * `references` `plain` checks nothing; given rules are added to those of built-in kinds and take
   * precedence.
   */
  constructor(resource: Resource<T>, naming: HostNaming, references: References | 'plain' = {}) {
    const builtIn = builtInReferences(resource)
    const isPlain = references === 'plain' || builtIn === 'plain'
    this.#rules = isPlain
      ? { rule: 'plain', members: new Map() }
      : ruleTree({ ...builtIn, ...references }, formatResource(resource))
    this.#content = withoutMembers(this.#rules, ['metadata'])
    this.#down = withoutMembers(this.#rules, ['metadata', 'status'])
    this.#naming = naming
    this.#isIngress = formatResource(resource) === formatResource(ingresses)
  }

  /**
   * `object` with its references translated to the names of the copies. Its status is not changed. Throws
   * `PermanentError` for a reference that is not allowed or has no rule.
   */
  toHost(object: T): T {
    if (this.#rules.rule === 'plain') return object
    checkReferences(object, this.#rules)
    const translation = new HostReferences(this.#naming, object)
    return rewriteReferences(object, this.#down, (field) => translation.translate(field)) as T
  }

  /**
   * The labels and annotations of `object` with the names that the copy is to have in them; no other part of it is
   * translated.
   */
  metadataToHost(object: T): T {
    if (this.#rules.rule === 'plain') return object
    const host = this.#isIngress ? withHostAlbAnnotations(object, this.#naming) : object
    const rules = this.#rules.members.get('metadata')
    if (!rules) return host
    const translation = new HostReferences(this.#naming, object)
    const metadata = rewriteReferences(host.metadata, rules, (field) => translation.translate(field))
    return metadata === host.metadata ? host : { ...host, metadata: metadata as T['metadata'] }
  }

  /** Whether a label or an annotation differs between original and copy, because it names another object. */
  isTranslated(map: 'labels' | 'annotations', key: string): boolean {
    const rules = this.#rules.members.get('metadata')?.members.get(map)
    return rules?.members.has(key) === true || (map === 'annotations' && isAlbAnnotation(key))
  }

  /**
   * Translates the references of a host object back, for content that is shown in the virtual cluster. References of
   * `virtual` itself, except in its status, are known; `findSource` looks up all others. Throws `PermanentError` for a
   * reference to an object that is not a copy of this vcluster.
   */
  async toVirtual(host: T, virtual: T, findSource: FindSource): Promise<T> {
    if (this.#content.members.size === 0) return host
    const translation = new VirtualReferences(this.#naming, virtual)
    rewriteReferences(virtual, this.#down, (field) => translation.recordKnown(field))
    rewriteReferences(host, this.#content, (field) => translation.recordMissing(field))
    await translation.lookUpMissing(findSource)
    return rewriteReferences(host, this.#content, (field) => translation.translate(field)) as T
  }
}

function withoutMembers({ rule, members }: RuleNode, names: readonly PathSegment[]): RuleNode {
  return { rule, members: new Map([...members].filter(([name]) => !names.includes(name))) }
}
