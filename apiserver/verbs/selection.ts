import { PluginError } from '../../sdk/engine/kube/error.js'
import {
  type FieldRequirement,
  matchesFields,
  parseFieldSelector,
} from '../../sdk/engine/kube/field-selector.js'
import { matchesLabels } from '../../sdk/engine/kube/label-selector.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { parseLabelSelector } from '../../sdk/engine/kube/parse-label-selector.js'
import type { OpenObject } from '../base/object.js'
import { ownEntry } from '../base/own-entry.js'
import { badRequest } from '../request/status.js'
import type { ServedResource } from '../resources/served-resource.js'

/** Selects the objects of a list, watch or deletecollection. */
export interface Selection {
  /** The prefix of their keys. */
  readonly prefix: string
  /** Whether there is any selector in addition to the namespace. */
  readonly hasSelectors: boolean
  /** Whether a field selector selects one object by name. */
  readonly selectsOneName: boolean
  matches(object: KubeObject): boolean
}

/** The selectors of a query. */
export interface Selectors {
  readonly labels: ReturnType<typeof parseLabelSelector>
  readonly fields: readonly FieldRequirement[]
}

/** Parses the selectors of a query. Throws 400 for an invalid one. */
export function selectorsOf(query: URLSearchParams): Selectors {
  return {
    labels: readSelector(query.get('labelSelector'), parseLabelSelector),
    fields: readSelector(query.get('fieldSelector'), parseFieldSelector),
  }
}

/** The objects in a namespace that the selectors match. Throws 400 for an unsupported field. */
export function selectionOf(
  resource: ServedResource,
  namespace: string,
  { labels, fields }: Selectors,
): Selection {
  checkFields(resource, fields)
  return {
    prefix: namespace === '' ? '' : `${namespace}/`,
    hasSelectors: labels.length + fields.length > 0,
    selectsOneName: fields.some(({ field, operator }) => field === 'metadata.name' && operator === '='),
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
  // Built-in kinds without their own selectable fields share one check, which accepts `metadata.namespace`
  // even for cluster-scoped ones.
  const isNamespaceKnown = namespaced || (custom === undefined && rules.read?.selectableFields === undefined)
  const knownFields = ['metadata.name', ...(isNamespaceKnown ? ['metadata.namespace'] : [])]
  for (const { field } of fields) {
    if (knownFields.includes(field) || readerOf(resource, field) !== undefined) continue
    if (rules.read?.selectorError !== undefined) throw badRequest(rules.read?.selectorError(field))
    if (rules.read?.selectableFields !== undefined) throw badRequest(`field label not supported: ${field}`)
    const list = knownFields.map((name) => `"${name}"`)
    throw badRequest(`"${field}" is not a known field selector: only ${list.join(', ')}`)
  }
}

function selectableField(resource: ServedResource, object: KubeObject, field: string): string | undefined {
  if (field === 'metadata.name') return object.metadata.name
  if (field === 'metadata.namespace') return object.metadata.namespace
  return readerOf(resource, field)?.({ ...object } as OpenObject)
}

/** The function that reads a selectable field. */
function readerOf({ rules }: ServedResource, field: string): ((object: OpenObject) => string) | undefined {
  return ownEntry(rules.read?.selectableFields ?? {}, field)
}
