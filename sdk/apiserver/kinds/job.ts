import { jsonEqual } from '../../kube/json.js'
import { type KindRules, type OpenObject, recordOf } from './kind-rules.js'

const CONTROLLER = 'batch.kubernetes.io/controller-uid'

/** The labels by which a job knows its pods, and the older names of the same. */
function labelsOf({ metadata: { name = '', uid = '' } }: OpenObject): Record<string, string> {
  return {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    [CONTROLLER]: uid,
  }
}

/** A job chooses its pods by its own UID, unless the client chooses. */
function generateSelector(object: OpenObject): void {
  const { labels: own } = object.metadata
  const spec = recordOf(object.spec)
  if (spec.manualSelector === true) return
  const template = recordOf(spec.template)
  const metadata = recordOf(template.metadata)
  const labels = { ...labelsOf(object), ...recordOf(metadata.labels) }
  // A job without labels of its own shares those of its pods.
  if (own === undefined || jsonEqual(own, metadata.labels))
    object.metadata.labels = { ...labels } as typeof own & {}
  const selector = recordOf(spec.selector)
  const matchLabels = { [CONTROLLER]: object.metadata.uid, ...recordOf(selector.matchLabels) }
  object.spec = {
    ...spec,
    selector: { ...selector, matchLabels },
    template: { ...template, metadata: { ...metadata, labels } },
  }
}

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/ */
export const jobRules: KindRules = {
  generation: true,
  orphans: {
    warning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  },
  prepareCreate(object) {
    generateSelector(object)
  },
}
