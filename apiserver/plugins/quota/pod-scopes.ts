import { fieldAt, type OpenObject, recordOf, textAt } from '../../base/object.js'
import { qosClassOf } from '../../kinds/qos-class.js'
import type { ScopeSelector } from './evaluator.js'

/** Whether a pod is in a scope; `podMatchesScopeFunc` of Kubernetes v1.36.3. */
export function podIsInScope(selector: ScopeSelector, pod: OpenObject): boolean {
  switch (selector.scopeName) {
    case 'Terminating':
      return isTerminating(pod)
    case 'NotTerminating':
      return !isTerminating(pod)
    case 'BestEffort':
      return isBestEffort(pod)
    case 'NotBestEffort':
      return !isBestEffort(pod)
    case 'PriorityClass':
      return isSelected(selector, textAt(pod, 'spec', 'priorityClassName'))
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(pod)
    default:
      return false
  }
}

/** Whether a pod has a deadline. */
export function isTerminating(pod: OpenObject): boolean {
  const seconds = fieldAt(pod, 'spec', 'activeDeadlineSeconds')
  return typeof seconds === 'number' && seconds >= 0
}

const isBestEffort = ({ spec }: OpenObject) => qosClassOf(recordOf(spec)) === 'BestEffort'

/** Whether a selector matches a value; `''` means that there is none. */
export function isSelected({ operator, values = [] }: ScopeSelector, value: string): boolean {
  switch (operator) {
    case 'Exists':
      return value !== ''
    case 'DoesNotExist':
      return value === ''
    case 'In':
      return value !== '' && values.includes(value)
    default:
      return value === '' || !values.includes(value)
  }
}

interface Term {
  readonly namespaces?: readonly string[]
  readonly namespaceSelector?: object
  readonly podAffinityTerm?: Term
}

function usesOtherNamespaces(pod: OpenObject): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const affinity = recordOf(fieldAt(pod, 'spec', 'affinity', kind))
    return Object.values(affinity).some((terms) => Array.isArray(terms) && terms.some(namesOthers))
  })
}

function namesOthers(term: Term): boolean {
  const { namespaces = [], namespaceSelector } = term.podAffinityTerm ?? term
  return namespaces.length > 0 || namespaceSelector !== undefined
}
