import type { KindProblem } from '../schema/problem.js'
import { conditionTypeProblem } from './condition.js'

/** The names of a kind. */
export interface KindNames {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly shortNames?: readonly string[]
  readonly conditions: readonly { readonly type: string }[]
  readonly versions: readonly string[]
  readonly annotations?: Readonly<Record<string, string>>
}

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/

/** Finds the problems of the names of a kind. */
export function checkNames(names: KindNames): KindProblem[] {
  return [
    ...checkGroup(names),
    ...[names.version, ...names.versions].flatMap(checkVersion),
    ...checkKind(names.kind),
    // Without a kind there is no plural either.
    ...(names.kind === undefined ? [] : checkLabel('plural', names.plural)),
    ...(names.shortNames ?? []).flatMap((name) => checkLabel('shortNames', name)),
    ...names.conditions.flatMap(({ type }) => checkCondition(type)),
    ...duplicates('versions', [names.version, ...names.versions]),
    ...duplicates(
      'conditions',
      names.conditions.map(({ type }) => type),
    ),
  ]
}

const problem = (path: string, construct: string, message: string): KindProblem => ({
  path,
  construct,
  message,
})

/** A problem of an option; `cure` says what to write. A program in JavaScript can leave out the option. */
const wrong = (path: string, value: string | undefined, { why, cure }: { why: string; cure: string }) => [
  value === undefined
    ? problem(path, 'the option', `is missing; ${cure}`)
    : problem(path, JSON.stringify(value), `${why}; ${cure}`),
]

function checkGroup({ group, annotations = {} }: KindNames): KindProblem[] {
  if (!subdomain.test(group) || group.length > 253) {
    const cure = 'use one of your own, for example cache.example.com'
    return wrong('group', group, { why: 'is not a DNS name with a dot', cure })
  }
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(group) && !isApproved(annotations)) {
    return [
      problem(
        'group',
        group,
        'is reserved for Kubernetes and needs an approval; use a DNS name of your own, or name the approval in the annotation api-approved.kubernetes.io',
      ),
    ]
  }
  return []
}

/** See https://github.com/kubernetes/enhancements/pull/1111. */
function isApproved({
  'api-approved.kubernetes.io': approval = '',
}: Readonly<Record<string, string>>): boolean {
  return approval.startsWith('unapproved') || URL.canParse(approval)
}

function checkVersion(version: string): KindProblem[] {
  if (/^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/.test(version)) return []
  return wrong('version', version, { why: 'is not a version', cure: 'write v1, v1beta1 or v1alpha1' })
}

function checkKind(kind: string): KindProblem[] {
  if (/^[A-Z][A-Za-z0-9]{0,62}$/.test(kind)) return []
  const cure = 'write up to 63 letters and digits in CamelCase'
  return wrong('kind', kind, { why: 'is not a kind', cure })
}

function checkLabel(option: string, name: string): KindProblem[] {
  if (label.test(name) && name.length <= 63) return []
  return [
    problem(
      option,
      JSON.stringify(name),
      'is not a DNS label; write up to 63 lower-case letters, digits and dashes',
    ),
  ]
}

function checkCondition(type: string): KindProblem[] {
  const why = conditionTypeProblem(type)
  return why === undefined ? [] : [problem('conditions', type, why)]
}

function duplicates(option: string, names: readonly string[]): KindProblem[] {
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [...repeated].map((name) => problem(option, name, 'is given twice; leave one out'))
}
