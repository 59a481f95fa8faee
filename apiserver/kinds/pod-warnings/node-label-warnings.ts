/** Warnings about labels of nodes; `pkg/api/node/util.go` of Kubernetes v1.36.3. */
import { labelValueProblems } from '../../../sdk/engine/kube/label-syntax.js'
import { fieldAt, recordOf, textAt } from '../../base/object.js'

/** Labels that have other names now. */
const deprecated: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods':
    'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
}

/** Why a label should not be used any more; undefined for others. */
export function deprecatedNodeLabel(label: string): string | undefined {
  return Object.hasOwn(deprecated, label) ? deprecated[label] : undefined
}

/** The list at a path of an object; empty if there is none. */
export function listAt(object: object, ...path: readonly string[]): Record<string, unknown>[] {
  const list = fieldAt(object, ...path)
  return Array.isArray(list) ? list.map((each) => recordOf(each)) : []
}

/** The warnings for terms that select nodes; values are checked if the term is only preferred. */
export function nodeTermWarnings(term: object, path: string, checksValues = false): string[] {
  return listAt(term, 'matchExpressions').flatMap((expression, position) => {
    const key = textAt(expression, 'key')
    const why = deprecatedNodeLabel(key)
    const values = checksValues && Array.isArray(expression.values) ? expression.values.map(String) : []
    const field = `${path}.matchExpressions[${position}]`
    return [
      ...(why === undefined ? [] : [`${field}.key: ${key} is ${why}`]),
      ...values.flatMap((value, index) =>
        labelValueProblems(value).map(
          (problem) => `${field}.values[${index}]: ${value} is invalid, ${problem}`,
        ),
      ),
    ]
  })
}

/** The warnings for the node selector and the affinity of a pod, whose spec is at the path. */
export function placementWarnings(spec: Record<string, unknown>, path: string): string[] {
  const labels = Object.keys(recordOf(spec.nodeSelector))
  const affinity = recordOf(recordOf(spec.affinity).nodeAffinity)
  const affinityPath = `${path}.affinity.nodeAffinity`
  const [required, preferred] = [
    'requiredDuringSchedulingIgnoredDuringExecution',
    'preferredDuringSchedulingIgnoredDuringExecution',
  ]
  return [
    ...labels.flatMap((label) => {
      const why = deprecatedNodeLabel(label)
      return why === undefined ? [] : [`${path}.nodeSelector[${label}]: ${why}`]
    }),
    ...listAt(affinity, required, 'nodeSelectorTerms').flatMap((term, index) =>
      nodeTermWarnings(term, `${affinityPath}.${required}.nodeSelectorTerms[${index}]`),
    ),
    ...listAt(affinity, preferred).flatMap(({ preference }, index) =>
      nodeTermWarnings(recordOf(preference), `${affinityPath}.${preferred}[${index}].preference`, true),
    ),
  ]
}
