import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { compare } from '../fields/compare.js'
import type { FieldSet } from '../fields/field-set.js'
import { fieldsOf } from '../fields/fields-of.js'
import type { Overlap } from '../fields/ownership.js'
import { resourceType } from '../fields/resource-type.js'
import { trackedType } from '../fields/tracked-type.js'
import { typeProblems } from '../fields/type-problems.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'

/** The annotation in which kubectl's client-side apply keeps the object that it last applied. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

const isOfKubectl = ({ query }: ResourceRequest) => query.get('fieldManager') === 'kubectl'

/**
 * The conflicts of an apply without those that its manager may ignore: kubectl may take over fields that it wrote by
 * client-side apply, if they are unchanged since; `lastappliedmanager.go` of apimachinery.
 */
export function conflictsOf(
  request: ResourceRequest,
  live: object,
  overlaps: readonly Overlap[],
): readonly Overlap[] {
  if (overlaps.length === 0 || !isOfKubectl(request)) return overlaps
  const ownFields = fieldsLastApplied(request.resource, live)
  if (ownFields === undefined) return overlaps
  const rest = overlaps.map(({ entry, set }) => ({ entry, set: set.difference(ownFields) }))
  return rest.filter(({ set }) => !set.isEmpty)
}

/** The fields in the annotation that are unchanged since; undefined if it is not an object of the same version. */
function fieldsLastApplied(resource: ServedResource, live: object): FieldSet | undefined {
  const written = parsed(textAt(live, 'metadata', 'annotations', lastApplied))
  if (!isJsonObject(written) || !written.kind || written.apiVersion !== apiVersionOf(resource))
    return undefined
  const whole = resourceType(resource)
  if (typeProblems(written, whole).length > 0 || typeProblems(live, whole).length > 0) return undefined
  const type = trackedType(resource)
  const { added, modified, removed } = compare(written, live, type)
  return fieldsOf(written, type).difference(added.union(modified).union(removed))
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Updates the annotation after an apply by kubectl, if the object has it. */
export function refreshLastApplied(
  request: ResourceRequest,
  { metadata }: OpenObject,
  desired: Record<string, unknown>,
): void {
  if (!isOfKubectl(request) || metadata.annotations?.[lastApplied] === undefined) return
  const { [lastApplied]: _old, ...others } = recordOf(fieldAt(desired, 'metadata', 'annotations'))
  const annotations = Object.keys(others).length === 0 ? {} : { annotations: others }
  const { annotations: _annotations, ...rest } = recordOf(desired.metadata)
  const text = `${stringifyJson({ ...desired, metadata: { ...rest, ...annotations } })}\n`
  metadata.annotations = { ...metadata.annotations, [lastApplied]: text }
}
