import { textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { required } from '../validation/field-error.js'

/** https://kubernetes.io/docs/concepts/cluster-administration/flow-control/ ; no request waits here. */
export const flowSchemaRules: KindRules = {
  generation: true,
  statusKeeps: 'metadata',
  validate(object) {
    const level = textAt(object, 'spec', 'priorityLevelConfiguration', 'name')
    const field = 'spec.priorityLevelConfiguration.name'
    return level === '' ? [required(field, 'must reference a priority level')] : []
  },
}

/** The share of the server's capacity for the requests of a level. */
export const priorityLevelRules: KindRules = {
  generation: true,
  statusKeeps: 'metadata',
  validate: (object) => (textAt(object, 'spec', 'type') === '' ? [required('spec.type', '')] : []),
}
