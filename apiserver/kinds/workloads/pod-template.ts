import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { templateWarningsAt } from '../pod-warnings/pod-warnings.js'
import { templateErrors } from './template-errors.js'

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-template-v1/ */
export const podTemplateRules: KindRules = {
  metadata: {
    generation: true,
    repeatedOnUpdate: 'change',
  },
  validate: ({ template }) => templateErrors(recordOf(template), 'template'),
  create: {
    warnings: ({ template }) => templateWarningsAt(template, 'template'),
  },
  update: {
    warnings: ({ template }, old) =>
      jsonEqual(template, old.template) ? [] : templateWarningsAt(template, 'template'),
  },
  delete: {
    returnsObject: true,
  },
}
