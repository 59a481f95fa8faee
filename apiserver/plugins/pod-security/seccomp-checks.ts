import {
  type Check,
  containersText,
  type PodCheck,
  plural,
  quoteAll,
  settersText,
  sortedUnique,
} from './check.js'
import type { CheckedContainer } from './pod-shape.js'

const podAnnotation = 'seccomp.security.alpha.kubernetes.io/pod'
const container = 'container.seccomp.security.alpha.kubernetes.io/'

const isAllowed = (type: string | undefined) => type === 'RuntimeDefault' || type === 'Localhost'

const typeOf = ({ securityContext }: Pick<CheckedContainer, 'securityContext'>) =>
  securityContext?.seccompProfile === undefined ? undefined : (securityContext.seccompProfile.type ?? '')

/** Before 1.19, the profile was an annotation. */
const annotatedProfile: PodCheck = ({ annotations, containers }) => {
  const keys = [podAnnotation, ...containers.map(({ name }) => `${container}${name}`)]
  const bad = keys.flatMap((key) => {
    const value = annotations[key]
    return value === undefined || isAllowedValue(value) ? [] : [`${key}=${JSON.stringify(value)}`]
  })
  if (bad.length === 0) return undefined
  const texts = sortedUnique(bad)
  const detail = `forbidden ${plural(texts.length, 'annotation')} ${texts.join(', ')}`
  return { reason: 'seccompProfile', detail }
}

const isAllowedValue = (value: string) =>
  value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/')

/** Profiles must not be switched off. */
const enabledProfile: PodCheck = ({ spec, containers }) => {
  const podType = typeOf(spec)
  const isBad = (type: string | undefined) => type !== undefined && !isAllowed(type)
  const bad = containers.filter((each) => isBad(typeOf(each)))
  if (!isBad(podType) && bad.length === 0) return undefined
  const types = [...(isBad(podType) ? [podType] : []), ...bad.map(typeOf)].map((type) => type ?? '')
  const setters = settersText(isBad(podType), bad)
  const detail = `${setters} must not set securityContext.seccompProfile.type to ${quoteAll(sortedUnique(types))}`
  return { reason: 'seccompProfile', detail }
}

/** Each container needs a profile, its own or that of the pod. */
const requiredProfile: PodCheck = (pod) => {
  const violation = enabledProfile(pod)
  if (violation !== undefined || isAllowed(typeOf(pod.spec))) return violation
  const without = pod.containers.filter((each) => typeOf(each) === undefined)
  if (without.length === 0) return undefined
  const must = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
  return { reason: 'seccompProfile', detail: `pod or ${containersText(without)} ${must}` }
}

/** A check that does not apply to pods of Windows, which cannot set the field. */
export const unlessWindows =
  (check: PodCheck): PodCheck =>
  (pod) =>
    pod.spec.os?.name === 'windows' ? undefined : check(pod)

/** The check of seccomp profiles for the level `baseline`. */
export const seccompBaseline: Check = {
  id: 'seccompProfile_baseline',
  level: 'baseline',
  versions: [
    { since: 0, check: annotatedProfile },
    { since: 19, check: enabledProfile },
  ],
}

/** The check of seccomp profiles for the level `restricted`. */
export const seccompRestricted: Check = {
  id: 'seccompProfile_restricted',
  level: 'restricted',
  versions: [
    { since: 19, check: requiredProfile },
    { since: 25, check: unlessWindows(requiredProfile) },
  ],
  overrides: 'seccompProfile_baseline',
}
