import type { CheckedContainer, CheckedPod } from './pod-shape.js'

/** The reason why a pod is not allowed, and the parts of the pod that are the cause. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

/** Checks a pod; undefined if it is allowed. */
export type PodCheck = (pod: CheckedPod) => Violation | undefined

/** A check of a level, with its forms in the minor versions of Kubernetes 1. */
export interface Check {
  readonly id: string
  readonly level: 'baseline' | 'restricted'
  /** The forms of the check in ascending order, each with the first minor version that has it. */
  readonly versions: readonly { readonly since: number; readonly check: PodCheck }[]
  /** The check of the level `baseline` that this one replaces. */
  readonly overrides?: string
}

/** The noun for a number of items: `singular` for a single item, `pluralForm` otherwise. */
export const plural = (count: number, singular: string, pluralForm = `${singular}s`) =>
  count === 1 ? singular : pluralForm

/** Quotes each item and joins them with commas. */
export const quoteAll = (items: readonly string[]) => items.map((item) => `"${item}"`).join(', ')

/** The different values, sorted. */
export const sortedUnique = (values: Iterable<string>) => [...new Set(values)].sort()

/** Names of containers, for example `containers "a", "b"`. */
export function containersText(containers: readonly CheckedContainer[]): string {
  return `${plural(containers.length, 'container')} ${quoteAll(containers.map(({ name = '' }) => name))}`
}

/** Names the setters of a field: the pod, some containers, or both. */
export function settersText(isPod: boolean, containers: readonly CheckedContainer[]): string {
  const texts = [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])]
  return texts.join(' and ')
}
