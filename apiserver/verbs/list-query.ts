import type { ResourceRequest } from '../server/context.js'
import { checkedListOptions, type ListOptions, type ListPurpose, parseListOptions } from './list-options.js'
import { type Selection, selectionOf, selectorsOf } from './selection.js'

/** The query of a list, watch or deletecollection. */
export interface ListQuery {
  readonly options: ListOptions
  readonly selection: Selection
}

/**
 * Parses the query like `DecodeParameters` of a real server: first numbers, then selectors, then conflicting
 * options, then field names. Throws 400 or 422.
 */
export function listQueryOf({ resource, target, query }: ResourceRequest, purpose: ListPurpose): ListQuery {
  const parsedOptions = parseListOptions(query)
  const selectors = selectorsOf(query)
  const options = checkedListOptions(parsedOptions, purpose)
  const namespace = resource.namespaced ? target.namespace : ''
  return { options, selection: selectionOf(resource, namespace, selectors) }
}
