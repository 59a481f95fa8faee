import type { ResourceRequest } from '../context.js'
import { type Selection, selectionOf, selectorsOf } from '../selection.js'
import { checkedListOptions, type ListOptions, type ListPurpose, parseListOptions } from './list-options.js'

/** What the query of a list, watch or deletecollection asks for. */
export interface ListQuery {
  readonly options: ListOptions
  readonly selection: Selection
}

/**
 * Reads the query as `DecodeParameters` of a real server does: numbers, then selectors, then what does not go together,
 * then which fields there are. Throws 400 or 422.
 */
export function listQueryOf({ resource, target, query }: ResourceRequest, purpose: ListPurpose): ListQuery {
  const given = parseListOptions(query)
  const selectors = selectorsOf(query)
  const options = checkedListOptions(given, purpose)
  const namespace = resource.namespaced ? target.namespace : ''
  return { options, selection: selectionOf(resource, namespace, selectors) }
}
