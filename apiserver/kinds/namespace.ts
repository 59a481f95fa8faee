import { recordOf, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { labelName } from '../validation/names.js'

/** The finalizer that keeps a namespace until it is empty. */
export const NAMESPACE_FINALIZER = 'kubernetes'

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/ */
export const namespaceRules: KindRules = {
  name: labelName,
  returnsDeleted: true,
  selectable: { 'status.phase': (object) => textAt(object, 'status', 'phase') },
  prepare(object) {
    const { metadata } = object
    metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name ?? '' }
  },
  prepareCreate(object) {
    object.spec = { ...recordOf(object.spec), finalizers: [NAMESPACE_FINALIZER] }
    object.status = { phase: 'Active' }
  },
  prepareUpdate(object, old) {
    object.spec = old.spec
  },
}
