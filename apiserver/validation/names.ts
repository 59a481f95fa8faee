import {
  dnsLabelPattern,
  type PatternRule,
  patternProblems,
  subdomainForm,
} from '../../sdk/engine/kube/label-syntax.js'

/** A rule for names: returns the problem of a name, or undefined for a valid one. */
export type NameRule = (name: string) => string | undefined

const dns1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const maxLabel = 63
const configKeyForm = '[-._a-zA-Z0-9]+'

function patternRule(rule: PatternRule): NameRule {
  return (name) => patternProblems(rule, name)[0]
}

/** RFC 1123 subdomain: the format of most object names. */
export const checkSubdomainName = patternRule(subdomainForm)

const checkLabel = patternRule({
  pattern: dnsLabelPattern,
  maxLength: maxLabel,
  unit: 'characters',
  rule: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
})

/** RFC 1123 label: the format of names of namespaces and Services. */
export const checkLabelName: NameRule = (name) => {
  const problem = checkLabel(name)
  const isSubdomain = name.length <= maxLabel && patternProblems(subdomainForm, name).length === 0
  // A subdomain that is not a label contains dots.
  return problem !== undefined && isSubdomain ? 'must not contain dots' : problem
}

/** RFC 1035 label: the format of the names in a CustomResourceDefinition. */
export const checkRfc1035Label = patternRule({
  pattern: dns1035,
  maxLength: 63,
  rule: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
})

/** A name that fits into one segment of a path: the format of names of RBAC objects. */
export const checkPathSegmentName: NameRule = (name) => {
  if (name === '.' || name === '..') return `may not be '${name}'`
  const character = ['/', '%'].find((forbidden) => name.includes(forbidden))
  return character === undefined ? undefined : `may not contain '${character}'`
}

const checkConfigKeyForm = patternRule({
  pattern: configKeyForm,
  maxLength: 253,
  rule: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  examples: ['key.name', 'KEY_NAME', 'key-name'],
})

/** A key in the data of a ConfigMap or Secret. */
export const checkConfigKey: NameRule = (key) => {
  if (key === '.' || key === '..') return `must not be '${key}'`
  return key.startsWith('..') ? "must not start with '..'" : checkConfigKeyForm(key)
}

/** The problems of a port's name, one text each. */
export function portNameProblems(name: string): string[] {
  const problems: string[] = []
  if (name.length > 15) problems.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)')
  if (name.includes('--')) problems.push('must not contain consecutive hyphens')
  if (/^-|-$/.test(name)) problems.push('must not begin or end with a hyphen')
  return problems
}

/** A subdomain whose first part is `*`. */
export const checkWildcardName = patternRule({
  pattern: `\\*\\.${subdomainForm.pattern}`,
  maxLength: 253,
  unit: 'characters',
  rule: "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  examples: ['*.example.com'],
})
