import {
  duplicate,
  type FieldError,
  invalidValue,
  required,
  unsupported,
} from '../../validation/field-error.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { checkAddress, checkChoice } from '../../validation/values.js'
import { selectorErrors } from '../selector-errors.js'
import { labelKeyErrors } from './label-key-errors.js'
import type { PodSpec, SpreadConstraint } from './spec.js'

const actions = ['DoNotSchedule', 'ScheduleAnyway']
const inclusionPolicies = ['Honor', 'Ignore']

/** The errors of topology spread constraints; `validateTopologySpreadConstraints` of Kubernetes v1.36.3. */
export function spreadErrors({ topologySpreadConstraints = [] }: PodSpec, path: string): FieldError[] {
  const kinds = topologySpreadConstraints.map(({ topologyKey = '', whenUnsatisfiable = '' }) =>
    JSON.stringify([topologyKey, whenUnsatisfiable]),
  )
  // The last of equal constraints is not a duplicate.
  const repeated = repeatedIndexes(kinds.reverse())
  return topologySpreadConstraints.flatMap((constraint, index) =>
    constraintErrors(constraint, repeated.has(kinds.length - 1 - index), `${path}[${index}]`),
  )
}

function constraintErrors(constraint: SpreadConstraint, isDuplicate: boolean, path: string): FieldError[] {
  const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', labelSelector } = constraint
  const kind = `${path}.{topologyKey, whenUnsatisfiable}`
  return [
    ...(maxSkew > 0 ? [] : [invalidValue(`${path}.maxSkew`, maxSkew, 'must be greater than zero')]),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...(actions.includes(whenUnsatisfiable)
      ? []
      : [unsupported(`${path}.whenUnsatisfiable`, JSON.stringify(whenUnsatisfiable), actions)]),
    ...(isDuplicate ? [duplicate(kind, `{${topologyKey}, ${whenUnsatisfiable}}`)] : []),
    ...domainErrors(constraint, `${path}.minDomains`),
    ...inclusionErrors(`${path}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy),
    ...inclusionErrors(`${path}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy),
    ...labelKeyErrors(constraint, path),
    ...selectorErrors(labelSelector, `${path}.labelSelector`),
  ]
}

function domainErrors({ minDomains, whenUnsatisfiable = '' }: SpreadConstraint, field: string): FieldError[] {
  if (minDomains === undefined) return []
  const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`
  return [
    ...(minDomains > 0 ? [] : [invalidValue(field, minDomains, 'must be greater than zero')]),
    ...(whenUnsatisfiable === 'DoNotSchedule' ? [] : [invalidValue(field, minDomains, why)]),
  ]
}

function inclusionErrors(field: string, policy: string | undefined): FieldError[] {
  if (policy === undefined || inclusionPolicies.includes(policy)) return []
  return [unsupported(field, JSON.stringify(policy), inclusionPolicies)]
}

const maxServers = 3
const maxSearches = 32

/** The errors of a pod's DNS configuration; `validatePodDNSConfig` of Kubernetes v1.36.3. */
export function dnsErrors({ dnsConfig, dnsPolicy }: PodSpec, path: string): FieldError[] {
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {}
  if (dnsPolicy === 'None' && dnsConfig === undefined) {
    return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
  }
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
    return [required(`${path}.nameservers`, why)]
  }
  return [
    ...tooManyErrors(
      `${path}.nameservers`,
      nameservers,
      `must not have more than ${maxServers} nameservers`,
      maxServers,
    ),
    ...nameservers.flatMap((address, index) => checkAddress(`${path}.nameservers[${index}]`, address)),
    ...tooManyErrors(
      `${path}.searches`,
      searches,
      `must not have more than ${maxSearches} search paths`,
      maxSearches,
    ),
    ...searches.flatMap((search, index) => searchErrors(`${path}.searches[${index}]`, search)),
    ...options.flatMap(({ name = '' }, index) =>
      name === '' ? [required(`${path}.options[${index}]`, 'must not be empty')] : [],
    ),
  ]
}

function tooManyErrors(field: string, values: readonly string[], why: string, max: number): FieldError[] {
  return values.length > max ? [invalidValue(field, values, why)] : []
}

/** Search domains may contain underscores. */
const searchForm = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*'
const searchProblem = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${searchForm}')`
const searchPattern = new RegExp(`^${searchForm}$`)

function searchErrors(field: string, search: string): FieldError[] {
  const name = search.replace(/\.$/, '')
  return search === '.' || searchPattern.test(name) ? [] : [invalidValue(field, name, searchProblem)]
}

/** The errors of `os`, the operating system of a pod. */
export function systemErrors({ os }: PodSpec, path: string): FieldError[] {
  if (os === undefined) return []
  if ((os.name ?? '') === '') return [required(`${path}.name`, '')]
  return checkChoice(path, os.name, ['linux', 'windows'])
}
