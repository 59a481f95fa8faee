import type { Affinity } from './affinity-errors.js'
import type { LabelKeys } from './label-key-errors.js'
import type { PodSpec } from './spec.js'

type Labels = Readonly<Record<string, string>>

/** The spec of a new pod with an expression in the selectors for each label key that is a label of the pod. */
export function withLabelKeys(spec: PodSpec, labels: Labels): PodSpec {
  const { affinity, topologySpreadConstraints } = spec
  return {
    ...spec,
    ...(affinity === undefined ? {} : { affinity: withKeysOfAffinity(affinity, labels) }),
    ...(topologySpreadConstraints === undefined
      ? {}
      : {
          topologySpreadConstraints: topologySpreadConstraints.map((constraint) =>
            withKeys(constraint, labels),
          ),
        }),
  }
}

function withKeysOfAffinity(affinity: Affinity, labels: Labels): Affinity {
  const { podAffinity, podAntiAffinity } = affinity
  return {
    ...affinity,
    ...(podAffinity === undefined ? {} : { podAffinity: withKeysOfTerms(podAffinity, labels) }),
    ...(podAntiAffinity === undefined ? {} : { podAntiAffinity: withKeysOfTerms(podAntiAffinity, labels) }),
  }
}

type PodAffinity = NonNullable<Affinity['podAffinity']>

function withKeysOfTerms(affinity: PodAffinity, labels: Labels): PodAffinity {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: needed,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity
  const weighted = preferred?.map((term) =>
    term.podAffinityTerm === undefined
      ? term
      : { ...term, podAffinityTerm: withKeys(term.podAffinityTerm, labels) },
  )
  const terms = needed?.map((term) => withKeys(term, labels))
  return {
    ...affinity,
    ...(terms === undefined ? {} : { requiredDuringSchedulingIgnoredDuringExecution: terms }),
    ...(weighted === undefined ? {} : { preferredDuringSchedulingIgnoredDuringExecution: weighted }),
  }
}

function withKeys<Term extends LabelKeys>(term: Term, labels: Labels): Term {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term
  if (labelSelector === undefined) return term
  const added = [
    ...expressionsOf(matchLabelKeys, 'In', labels),
    ...expressionsOf(mismatchLabelKeys, 'NotIn', labels),
  ]
  if (added.length === 0) return term
  const matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added]
  return { ...term, labelSelector: { ...labelSelector, matchExpressions } }
}

const expressionsOf = (keys: readonly string[], operator: string, labels: Labels) =>
  keys.flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined
    return value === undefined ? [] : [{ key, operator, values: [value] }]
  })
