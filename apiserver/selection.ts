import { PluginError } from '../sdk/kube/error.js'
import type { KubeObject } from '../sdk/kube/object.js'
import {
  type FieldRequirement,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from '../sdk/kube/selector.js'
import type { OpenObject } from './kinds/kind-rules.js'
import type { ServedResource } from './served-resource.js'
import { badRequest } from './status.js'

/** Which objects a list, watch or deletecollection is about. */
export interface Selection {
  /** Keys begin with this. */
  readonly prefix: string
  /** Whether there is any selector beside the namespace. */
  readonly selective: boolean
  /** Whether a field selector names one object. */
  readonly namesOne: boolean
  matches(object: KubeObject): boolean
}

/** The selectors of a query. */
export interface Selectors {
  readonly labels: ReturnType<typeof parseLabelSelector>
  readonly fields: readonly FieldRequirement[]
}

/** Reads the selectors of a query. Throws 400 for one that cannot be read. */
export function selectorsOf(query: URLSearchParams): Selectors {
  return {
    labels: readSelector(query.get('labelSelector'), parseLabelSelector),
    fields: readSelector(query.get('fieldSelector'), parseFieldSelector),
  }
}

/** What a namespace and selectors choose. Throws 400 for a field that the resource does not have. */
export function selectionOf(
  resource: ServedResource,
  namespace: string,
  { labels, fields }: Selectors,
): Selection {
  checkFields(resource, fields)
  return {
    prefix: namespace === '' ? '' : `${namespace}/`,
    selective: labels.length + fields.length > 0,
    namesOne: fields.some(({ field, operator }) => field === 'metadata.name' && operator === '='),
    matches: (object) =>
      (labels.length === 0 || matchesLabels(labels, object.metadata.labels)) &&
      (fields.length === 0 || matchesFields(fields, (field) => selectableField(resource, object, field))),
  }
}

function readSelector<T>(text: string | null, parse: (text: string) => T[]): T[] {
  if (text === null || text === '') return []
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof PluginError) throw badRequest(error.message)
    throw error
  }
}

function checkFields(resource: ServedResource, fields: readonly FieldRequirement[]): void {
  const { rules, namespaced, custom } = resource
  // Built-in kinds without fields of their own all share one check, which takes a namespace of cluster-scoped ones too.
  const isNamespaceKnown = namespaced || (custom === undefined && rules.selectable === undefined)
  const known = ['metadata.name', ...(isNamespaceKnown ? ['metadata.namespace'] : [])]
  for (const { field } of fields) {
    if (known.includes(field) || rules.selectable?.[field] !== undefined) continue
    if (rules.refuseField !== undefined) throw badRequest(rules.refuseField(field))
    if (rules.selectable !== undefined) throw badRequest(`field label not supported: ${field}`)
    const list = known.map((name) => `"${name}"`)
    throw badRequest(`"${field}" is not a known field selector: only ${list.join(', ')}`)
  }
}

function selectableField(resource: ServedResource, object: KubeObject, field: string): string | undefined {
  if (field === 'metadata.name') return object.metadata.name
  if (field === 'metadata.namespace') return object.metadata.namespace
  return resource.rules.selectable?.[field]?.({ ...object } as OpenObject)
}
