import { matchesFields, parseFieldSelector } from '../kube/field-selector.js'
import { matchesLabels } from '../kube/label-selector.js'
import type { KubeObject } from '../kube/object.js'
import { parseLabelSelector } from '../kube/parse-label-selector.js'

/** Selects objects of a kind, with selectors in the text form of the API. */
export interface Selectors {
  /** A label selector, for example `app=web,tier!=db`; default all objects. */
  labelSelector?: string
  /**
   * A field selector, for example `spec.nodeName=worker-1`, with fields that the API server supports for the kind;
   * default all objects.
   */
  fieldSelector?: string
}

/**
 * Makes a function that decides as the API server does whether an object is selected. A field is read by its path.
 *
 * @throws `PluginError` `INVALID_SELECTOR`
 */
export function selectedBy({
  labelSelector = '',
  fieldSelector = '',
}: Selectors): (object: KubeObject) => boolean {
  const labels = parseLabelSelector(labelSelector)
  const fields = parseFieldSelector(fieldSelector)
  return (object) =>
    matchesLabels(labels, object.metadata.labels) && matchesFields(fields, (path) => fieldOf(object, path))
}

/** The text of a field at a path such as `spec.nodeName`; undefined for an absent field, an object or a list. */
function fieldOf(object: unknown, path: string): string | undefined {
  let value = object
  for (const member of path.replace(/^\./, '').split('.'))
    value = (value as Record<string, unknown> | undefined)?.[member]
  return value === undefined || value === null || typeof value === 'object'
    ? undefined
    : String(value as string)
}
