import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf, textAt } from '../../base/object.js'
import { type Condition, conditionIs, hasCondition, withCondition } from './conditions.js'
import { type DefinedNames, namesOf } from './definition.js'

const acceptedCondition: Condition = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
}
const installing: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
}
const notAccepted: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
}

/** The accepted names of a definition, and the condition that reports conflicts. */
interface NamesDecision {
  readonly names: Partial<DefinedNames>
  readonly condition: Condition
}

/**
 * Returns the definition with a status that contains its names that no other definition of the group has; the
 * same object if nothing changes. Follows `pkg/controller/status/naming_controller.go` of
 * k8s.io/apiextensions-apiserver v0.36.3.
 */
export function withAcceptedNames(
  definition: OpenObject,
  all: () => readonly OpenObject[],
  time: string,
): OpenObject {
  const accepted = recordOf(recordOf(definition.status).acceptedNames)
  if (jsonEqual(recordOf(recordOf(definition.spec).names), accepted)) return definition
  const { names, condition } = decideNames(definition, all())
  if (jsonEqual(names, accepted) && hasCondition(definition, condition)) return definition
  const withNames = { ...definition, status: { ...recordOf(definition.status), acceptedNames: names } }
  const judged = withCondition(withNames, condition, time)
  if (conditionIs(judged, 'Established', 'True')) return judged
  return withCondition(judged, condition.status === 'True' ? installing : notAccepted, time)
}

function decideNames(definition: OpenObject, all: readonly OpenObject[]): NamesDecision {
  const group = textAt(definition, 'spec', 'group')
  const taken = all
    .filter((each) => textAt(each, 'spec', 'group') === group)
    .map((each) => namesOf(each, 'status'))
  const resources = new Set(taken.flatMap((each) => [each.plural, each.singular, ...(each.shortNames ?? [])]))
  const kinds = new Set(taken.flatMap((each) => [each.kind, each.listKind]))
  const requested = namesOf(definition)
  const had = namesOf(definition, 'status')
  const conflicts: Condition[] = []
  const keep = (field: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>) => {
    if (requested[field] === had[field] || !used.has(requested[field])) return requested[field]
    conflicts.push(conflict(`${field.charAt(0).toUpperCase()}${field.slice(1)}Conflict`, [requested[field]]))
    return had[field]
  }
  const names = { ...requested, plural: keep('plural', resources), singular: keep('singular', resources) }
  const short = (requested.shortNames ?? []).filter(
    (name) => !had.shortNames?.includes(name) && resources.has(name),
  )
  if (short.length > 0) conflicts.push(conflict('ShortNamesConflict', short))
  const kind = keep('kind', kinds)
  const listKind = keep('listKind', kinds)
  const { shortNames: _shortNames, ...others } = { ...names, kind, listKind }
  const shortNames = short.length > 0 ? had.shortNames : requested.shortNames
  return {
    names: withoutEmptyNames({ ...others, ...(shortNames === undefined ? {} : { shortNames }) }),
    condition: conflicts.at(-1) ?? acceptedCondition,
  }
}

/** Go omits an empty singular and list kind, but not the plural and the kind. */
function withoutEmptyNames({ singular, listKind, ...names }: DefinedNames): Partial<DefinedNames> {
  return { ...names, ...(singular === '' ? {} : { singular }), ...(listKind === '' ? {} : { listKind }) }
}

function conflict(reason: string, names: readonly string[]): Condition {
  const texts = names.map((name) => `"${name}" is already in use`)
  const message = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
  return { type: 'NamesAccepted', status: 'False', reason, message }
}
