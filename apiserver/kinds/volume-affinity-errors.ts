import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { type NodeSelector, nodeSelectorErrors } from './pod-spec/affinity-errors.js'

/** The nodes from which a PersistentVolume can be reached. */
export interface VolumeAffinity {
  readonly required?: NodeSelector
}

/** `validateVolumeNodeAffinity` of Kubernetes v1.36.3. */
export function volumeAffinityErrors(affinity: VolumeAffinity | undefined): FieldError[] {
  if (affinity === undefined) return []
  const path = 'spec.nodeAffinity.required'
  return affinity.required === undefined
    ? [required(path, 'must specify required node constraints')]
    : nodeSelectorErrors(affinity.required, path)
}

/** The labels whose names changed when they became stable. */
const stableNames: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
}

/** The error of an affinity that changes otherwise than from a label to its stable name. */
export function affinityChangeErrors(
  affinity: VolumeAffinity | undefined,
  old: VolumeAffinity | undefined,
): FieldError[] {
  if (old === undefined || jsonEqual(termsOf(affinity), termsOf(renamed(old, affinity)))) return []
  const why = 'field is immutable, except for updating from beta label to GA'
  return [invalidValue('nodeAffinity', shown(affinity), why)]
}

/** The affinity with the stable names of the labels that the new one names so. */
function renamed({ required: old }: VolumeAffinity, next: VolumeAffinity = {}) {
  const terms = (old?.nodeSelectorTerms ?? []).map((term, index) => {
    const expressions = next.required?.nodeSelectorTerms?.[index]?.matchExpressions
    const matchExpressions = term.matchExpressions?.map((each, position) => {
      const stableName = stableNames[each.key ?? '']
      const isRenamed = stableName !== undefined && expressions?.[position]?.key === stableName
      return isRenamed ? { ...each, key: stableName } : each
    })
    return { ...term, ...(matchExpressions === undefined ? {} : { matchExpressions }) }
  })
  return { required: { nodeSelectorTerms: terms } }
}

/** The terms with all lists, because an empty list equals an absent one. */
const termsOf = (affinity: VolumeAffinity | undefined) =>
  affinity?.required?.nodeSelectorTerms?.map(({ matchExpressions = [], matchFields = [] }) => ({
    matchExpressions,
    matchFields,
  }))

/** The affinity as Go prints it. */
function shown(affinity: VolumeAffinity | undefined): object | null {
  if (affinity?.required === undefined) return null
  const print = (list: readonly { key?: string; operator?: string; values?: readonly string[] }[] = []) =>
    list.length === 0
      ? null
      : list.map(({ key = '', operator = '', values }) => ({
          Key: key,
          Operator: operator,
          Values: values ?? null,
        }))
  const NodeSelectorTerms = (affinity.required.nodeSelectorTerms ?? []).map(
    ({ matchExpressions, matchFields }) => ({
      MatchExpressions: print(matchExpressions),
      MatchFields: print(matchFields),
    }),
  )
  return { Required: { NodeSelectorTerms } }
}
