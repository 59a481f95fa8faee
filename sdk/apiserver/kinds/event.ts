import { type KindRules, textAt } from './kind-rules.js'

const OBJECT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

const involved = OBJECT_FIELDS.map(
  (field) =>
    [`involvedObject.${field}`, (object: object) => textAt(object, 'involvedObject', field)] as const,
)

/** https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/ */
export const eventRules: KindRules = {
  createOnUpdate: true,
  selectable: {
    ...Object.fromEntries(involved),
    reason: (object) => textAt(object, 'reason'),
    reportingComponent: (object) => textAt(object, 'reportingComponent'),
    source: (object) => textAt(object, 'source', 'component'),
    type: (object) => textAt(object, 'type'),
  },
}
