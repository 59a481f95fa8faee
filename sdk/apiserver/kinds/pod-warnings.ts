import { fieldAt, type OpenObject, recordOf } from './kind-rules.js'

/** Labels of nodes that have other names by now; `pkg/api/node/util.go` of Kubernetes v1.36.3. */
const DEPRECATED: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
}

/** What whoever creates a pod is told of its node selector. */
export function podWarnings(pod: OpenObject): string[] {
  const labels = Object.keys(recordOf(fieldAt(pod, 'spec', 'nodeSelector'))).sort()
  return labels.flatMap((label) => {
    const why = DEPRECATED[label]
    return why === undefined ? [] : [`spec.nodeSelector[${label}]: ${why}`]
  })
}
