import { parseApiVersion } from '../../../engine/kube/api-version.js'
import { PermanentError } from '../../../engine/kube/error.js'
import type { JsonObject } from '../../../engine/kube/json-object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { ObjectReference, ReferenceRule, TypedReference } from './reference-rules.js'
import type { FieldAt } from './rewrite-references.js'

/**
 * The reference in a field; `undefined` for a field that does not name objects. Throws `PermanentError` for a kind that
 * the rule does not list.
 */
export function referenceAt({ rule, name, holder }: FieldAt): ObjectReference | undefined {
  if (!namesObjects(rule)) return undefined
  if ('to' in rule) return rule
  if (!('toOneOf' in rule)) return { to: rule }
  const { toOneOf, ...reference } = rule
  return { ...reference, to: resourceAt(toOneOf, { name, holder }) }
}

/** The member next to the name that holds the namespace, if the rule names such a member. */
export function namespaceMember(rule: ReferenceRule): string | undefined {
  return namesObjects(rule) && 'namespace' in rule && typeof rule.namespace === 'string'
    ? rule.namespace
    : undefined
}

function namesObjects(rule: ReferenceRule): rule is Resource | ObjectReference | TypedReference {
  return typeof rule === 'object' && !('only' in rule) && !('values' in rule)
}

/** The kind that a typed reference names by the members next to the name; the first allowed kind if they are absent. */
function resourceAt(
  allowedKinds: TypedReference['toOneOf'],
  { name, holder }: Pick<FieldAt, 'name' | 'holder'>,
): Resource {
  const [{ kind: defaultKind }] = allowedKinds
  const { kind = defaultKind } = holder
  const group = groupOf(holder) ?? allowedKinds[0].group
  const resource = allowedKinds.find((one) => one.kind === kind && one.group === group)
  if (resource) return resource
  throw new PermanentError(
    `${name} ${JSON.stringify(holder[name])} is that of a ${kind} of group ${JSON.stringify(group)}, which no rule ` +
      `translates, so the object is not copied. It may name: ${allowedKinds.map(formatKind).join(', ')}.`,
  )
}

/** The API group in the members next to a name; `apiVersion` takes precedence. */
function groupOf({ group, apiGroup, apiVersion }: JsonObject): unknown {
  if (typeof apiVersion === 'string') return parseApiVersion(apiVersion)?.group ?? apiVersion
  return group ?? apiGroup
}

const formatKind = ({ kind, group }: Resource) => (group === '' ? kind : `${kind} of group ${group}`)
