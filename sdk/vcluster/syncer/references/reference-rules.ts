import { PluginError } from '../../../engine/kube/error.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { NamespacedNamingOptions } from '../../naming/naming.js'
import { everyElement, type PathSegment, parseReferencePath, type ReferencePath } from './reference-path.js'

/** A field that holds another object's name. */
export interface ObjectReference {
  /** The kind of the object that is named. */
  readonly to: Resource
  /** How copies of that kind are named; default `long`, as of all kinds that vcluster itself copies. */
  readonly names?: NamespacedNamingOptions['names']
  /** The member next to the name that holds the namespace; default none: the object's own namespace. */
  readonly namespace?: string
  /** Whether the text may also be `NAMESPACE/NAME`; default false. */
  readonly qualified?: boolean
  /**
   * Whether an object with a reference to another namespace is not copied; default false. Set it for APIs in which the
   * other namespace has to agree, because on the host both are copied into one namespace, where no agreement is needed.
   */
  readonly onlyOwnNamespace?: boolean
}

/**
 * A field that holds the name of an object whose kind is in the members `kind`, and `group`, `apiGroup` or `apiVersion`
 * next to it. An object that names any other kind is not copied.
 */
export interface TypedReference extends Omit<ObjectReference, 'to' | 'qualified'> {
  /** The kinds that may be named; an object without kind and group means the kind and group of the first. */
  readonly toOneOf: readonly [Resource, ...Resource[]]
}

/** A text that may have only these values. */
export interface KnownValues {
  readonly values: readonly string[]
}

/** An object that may have only these members. */
export interface KnownMembers {
  readonly only: readonly string[]
}

/**
 * How a field refers to other objects:
 *
 * * a `Resource`, or an {@link ObjectReference}: the name of an object of that kind;
 * * `label-selector`: selects objects of the virtual cluster, by `matchLabels` and `matchExpressions`;
 * * `label-map`: the same as a plain map, such as a Service's `selector`;
 * * `plain`: not a reference, whatever it is called, nor is anything in it;
 * * `refused`: never copied; an object that has it is not copied at all;
 * * a {@link TypedReference}: the name of an object of one of several kinds;
 * * {@link KnownMembers}: an object that may have only these members;
 * * {@link KnownValues}: a text that may have only these values.
 */
export type ReferenceRule =
  | Resource
  | ObjectReference
  | TypedReference
  | KnownMembers
  | KnownValues
  | 'label-selector'
  | 'label-map'
  | 'plain'
  | 'refused'

/**
 * The fields of a kind that refer to other objects: `{ 'spec.tls[*].secretName': secrets, 'spec.selector': 'plain' }`.
 */
export type References = Readonly<Record<ReferencePath, ReferenceRule>>

/** The rules as a tree: the rule of a value, and the nodes of its members. */
export interface RuleNode {
  readonly rule: ReferenceRule | undefined
  readonly members: ReadonlyMap<PathSegment, RuleNode>
}

/** A node of the tree while {@link ruleTree} builds it. */
interface GrowingNode extends RuleNode {
  rule: ReferenceRule | undefined
  readonly members: Map<PathSegment, GrowingNode>
}

/** Makes the tree of a kind. Throws `PluginError` `INVALID_FIELD` for a path that cannot be read. */
export function ruleTree(references: References, kind: string): RuleNode {
  const root: GrowingNode = { rule: undefined, members: new Map() }
  for (const [path, rule] of Object.entries(references)) {
    if (rule === undefined)
      throw new PluginError(
        'INVALID_FIELD',
        `the references of ${kind} have undefined as the rule of '${path}': set a rule, or leave the field out`,
      )
    addNode(root, parseReferencePath(path)).rule = rule
  }
  return root
}

/** Returns the node at a path. Adds the nodes that are missing on the way. */
function addNode(root: GrowingNode, path: readonly PathSegment[]): GrowingNode {
  let node = root
  for (const segment of path) {
    const child = node.members.get(segment) ?? { rule: undefined, members: new Map() }
    node.members.set(segment, child)
    node = child
  }
  return node
}

/** The node for a member of an object, or for an element of a list (a number); a named member precedes `[*]`. */
export function nodeBelow(node: RuleNode | undefined, segment: string | number): RuleNode | undefined {
  const namedNode = typeof segment === 'string' ? node?.members.get(segment) : undefined
  return namedNode ?? node?.members.get(everyElement)
}
