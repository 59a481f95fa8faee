import { PermanentError } from '../../../engine/kube/error.js'
import { isJsonObject } from '../../../engine/kube/json-object.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { namespaceMember } from './named-object.js'
import { formatPath } from './reference-path.js'
import { type KnownValues, nodeBelow, type RuleNode } from './reference-rules.js'
import { looksLikeReference } from './reference-shapes.js'

const notCopied: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

/** A value inside the object, with the path to it. */
interface Position {
  readonly value: unknown
  readonly node: RuleNode | undefined
  readonly segment: string | number
  readonly parent: Position | undefined
}

/**
 * Refuses an object with a reference that no rule translates. `ReferenceTranslator` calls it before it translates an
 * object for the host. Refused are: a member that looks like a reference and has no
 * rule, the specification of a pod, and a member that is refused or not among the known ones. Members with another rule
 * are not checked here.
 *
 * Throws `PermanentError` that names the field and says how to allow it. It does not recurse, because a tenant decides
 * how deep an object is.
 */
export function checkReferences(object: KubeObject, root: RuleNode): void {
  const positions = childPositions({
    value: withoutIdentity(object),
    node: root,
    segment: '',
    parent: undefined,
  })
  for (let position = positions.pop(); position !== undefined; position = positions.pop()) {
    if (position.node?.rule === 'plain' || isEmpty(position.value)) continue
    const problem = problemOf(position)
    if (problem) throw new PermanentError(`${pathOf(position)} ${problem}`)
    if (!isTranslated(position.node)) positions.push(...childPositions(position))
  }
}

/** The fields that are copied, which are the only ones to check. */
function withoutIdentity(object: KubeObject): unknown {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !notCopied.has(name)))
}

/** The members of an object, or the elements of a list, as positions; none for any other value. */
function childPositions(parent: Position): Position[] {
  const { value, node } = parent
  if (Array.isArray(value)) {
    return value.map((element, index) => ({
      value: element,
      node: nodeBelow(node, index),
      segment: index,
      parent,
    }))
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).map(([segment, member]) => ({
    value: member,
    node: nodeBelow(node, segment),
    segment,
    parent,
  }))
}

/** Whether a rule translates the whole value. */
function isTranslated(node: RuleNode | undefined): boolean {
  return node?.rule !== undefined && !isKnownMembers(node)
}

function isKnownMembers({ rule }: RuleNode): boolean {
  return typeof rule === 'object' && 'only' in rule
}

/** The problem of the value at a position, as the end of a sentence; undefined if there is none. */
function problemOf({ value, node, segment, parent }: Position): string | undefined {
  if (node?.rule === 'refused') {
    return 'would reach what belongs to the host, so the object is not copied. Leave it out.'
  }
  if (node && isKnownMembers(node)) return unknownMemberProblem(value, node)
  if (typeof node?.rule === 'object' && 'values' in node.rule) return unknownValueProblem(value, node.rule)
  if (node?.rule !== undefined) return undefined
  if (isPodSpec(value)) {
    return (
      "is the specification of a pod, which can reach the host's nodes, Secrets and tokens, so the object is not " +
      'copied. Let the syncer say what it refers to: references: podReferences(PATH).'
    )
  }
  if (node?.members.size || isTranslatedNamespace(segment, parent)) return undefined
  if (!looksLikeReference(typeof segment === 'string' ? segment : undefined, value)) return undefined
  return (
    'looks like a reference, and on the host it would mean another object, so the object is not copied. Let the ' +
    "syncer say what it is: references: { PATH: secrets }, or PATH: 'plain' for what is none."
  )
}

/** Whether a member is the namespace of a name next to it, which has a rule. */
function isTranslatedNamespace(segment: string | number, parent: Position | undefined): boolean {
  const rules = [...(parent?.node?.members.values() ?? [])]
  return rules.some(({ rule }) => rule !== undefined && namespaceMember(rule) === segment)
}

function unknownMemberProblem(value: unknown, { rule }: RuleNode): string | undefined {
  const allowed = typeof rule === 'object' && 'only' in rule ? rule.only : []
  const unknown = isJsonObject(value) ? Object.keys(value).find((name) => !allowed.includes(name)) : undefined
  return unknown === undefined
    ? undefined
    : `has the member ${unknown}, of which is not known what it reaches on the host, so the object is not copied. Leave it out.`
}

function unknownValueProblem(value: unknown, { values }: KnownValues): string | undefined {
  return values.some((known) => known === value)
    ? undefined
    : `has a value that is not known to stay inside the copies, so the object is not copied. Known: ${values.join(', ')}.`
}

/** Whether a value has containers: whatever the kind is called, something will run them. */
function isPodSpec(value: unknown): boolean {
  const containers = isJsonObject(value) ? value.containers : undefined
  return (
    Array.isArray(containers) &&
    containers.some(
      (container) => isJsonObject(container) && ('image' in container || 'command' in container),
    )
  )
}

/**
 * Whether a value refers to nothing. An empty object does not count: it may be a selector, and then selects
 * everything.
 */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  )
}

function pathOf(position: Position): string {
  const segments: (string | number)[] = []
  for (let ancestor: Position | undefined = position; ancestor?.parent; ancestor = ancestor.parent)
    segments.unshift(ancestor.segment)
  return formatPath(segments)
}
