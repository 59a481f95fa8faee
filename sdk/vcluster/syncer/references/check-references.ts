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
  readonly above: Position | undefined
}

/**
 * Refuses an object with a reference that no rule translates: a member that looks like a reference and has no
 * rule, the specification of a pod, a member that is refused or not among the known ones. Members with a rule
 * are not checked here.
 *
 * Throws `PermanentError` that names the field and says how to allow it. It does not recurse, because a tenant decides
 * how deep an object is.
 */
export function checkReferences(object: KubeObject, root: RuleNode): void {
  const positions = positionsBelow({
    value: withoutIdentity(object),
    node: root,
    segment: '',
    above: undefined,
  })
  for (let position = positions.pop(); position !== undefined; position = positions.pop()) {
    if (position.node?.rule === 'plain' || isEmpty(position.value)) continue
    const problem = problemOf(position)
    if (problem) throw new PermanentError(`${pathOf(position)} ${problem}`)
    if (!isTranslated(position.node)) positions.push(...positionsBelow(position))
  }
}

function withoutIdentity(object: KubeObject): unknown {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !notCopied.has(name)))
}

function positionsBelow(above: Position): Position[] {
  const { value, node } = above
  if (Array.isArray(value)) {
    return value.map((element, at) => ({ value: element, node: nodeBelow(node, at), segment: at, above }))
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).map(([segment, member]) => ({
    value: member,
    node: nodeBelow(node, segment),
    segment,
    above,
  }))
}

/** Whether a rule translates the whole value. */
function isTranslated(node: RuleNode | undefined): boolean {
  return node?.rule !== undefined && !isKnownMembers(node)
}

function isKnownMembers({ rule }: RuleNode): boolean {
  return typeof rule === 'object' && 'only' in rule
}

function problemOf({ value, node, segment, above }: Position): string | undefined {
  if (node?.rule === 'refused') {
    return 'would reach what belongs to the host, so the object is not copied. Leave it out.'
  }
  if (node && isKnownMembers(node)) return unknownMember(value, node)
  if (typeof node?.rule === 'object' && 'values' in node.rule) return unknownValue(value, node.rule)
  if (node?.rule !== undefined) return undefined
  if (isPodSpec(value)) {
    return (
      "is the specification of a pod, which can reach the host's nodes, Secrets and tokens, so the object is not " +
      'copied. Let the syncer say what it refers to: references: podReferences(PATH).'
    )
  }
  if (node?.members.size || isTranslatedNamespace(segment, above)) return undefined
  if (!looksLikeReference(typeof segment === 'string' ? segment : undefined, value)) return undefined
  return (
    'looks like a reference, and on the host it would mean another object, so the object is not copied. Let the ' +
    "syncer say what it is: references: { PATH: secrets }, or PATH: 'plain' for what is none."
  )
}

/** Whether a member is the namespace of a name next to it, which has a rule. */
function isTranslatedNamespace(segment: string | number, above: Position | undefined): boolean {
  const rules = [...(above?.node?.members.values() ?? [])]
  return rules.some(({ rule }) => rule !== undefined && namespaceMember(rule) === segment)
}

function unknownMember(value: unknown, { rule }: RuleNode): string | undefined {
  const known = typeof rule === 'object' && 'only' in rule ? rule.only : []
  const unknown = isJsonObject(value) ? Object.keys(value).find((name) => !known.includes(name)) : undefined
  return unknown === undefined
    ? undefined
    : `has the member ${unknown}, of which is not known what it reaches on the host, so the object is not copied. Leave it out.`
}

function unknownValue(value: unknown, { values }: KnownValues): string | undefined {
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
  for (let at: Position | undefined = position; at?.above; at = at.above) segments.unshift(at.segment)
  return formatPath(segments)
}
