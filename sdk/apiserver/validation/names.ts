/** Says what is wrong with a name, or nothing. */
export type NameRule = (name: string) => string | undefined

const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`
const DNS_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const LABEL_VALUE = `(${QUALIFIED})?`
const MAX_LABEL = 63
const CONFIG_KEY = '[-._a-zA-Z0-9]+'

const expressions = new Map<string, RegExp>()

function whole(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? new RegExp(`^(?:${pattern})$`)
  expressions.set(pattern, known)
  return known
}

const tooLong = (max: number, unit: string) => `must be no more than ${max} ${unit}`

function explain(rule: string, pattern: string, examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}'`).join(',  or ')
  return `${rule} (e.g. ${list}, regex used for validation is '${pattern}')`
}

interface PatternRule {
  pattern: string
  maxLength: number
  /** What the limit counts; bytes by default. */
  unit?: 'characters' | 'bytes'
  rule: string
  examples: readonly string[]
}

function patternRule(rule: PatternRule): NameRule {
  return (name) => patternProblems(rule, name)[0]
}

function patternProblems({ pattern, maxLength, unit = 'bytes', rule, examples }: PatternRule, name: string) {
  return [
    ...(name.length > maxLength ? [tooLong(maxLength, unit)] : []),
    ...(whole(pattern).test(name) ? [] : [explain(rule, pattern, examples)]),
  ]
}

/** RFC 1123 subdomain: what most object names are. */
export const subdomainName = patternRule({
  pattern: DNS_SUBDOMAIN,
  maxLength: 253,
  unit: 'characters',
  rule: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
})

const label = patternRule({
  pattern: DNS_LABEL,
  maxLength: MAX_LABEL,
  unit: 'characters',
  rule: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
})

/** RFC 1123 label: what namespaces and Services are named by. */
export const labelName: NameRule = (name) => {
  const problem = label(name)
  const isSubdomain = name.length <= MAX_LABEL && whole(DNS_SUBDOMAIN).test(name)
  // What is a subdomain and no label has dots.
  return problem !== undefined && isSubdomain ? 'must not contain dots' : problem
}

/** RFC 1035 label: what the parts of a CustomResourceDefinition are named by. */
export const rfc1035Label = patternRule({
  pattern: DNS_1035,
  maxLength: 63,
  rule: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
})

/** A name that only has to fit into one segment of a path: what RBAC objects are named by. */
export const pathSegmentName: NameRule = (name) => {
  if (name === '.' || name === '..') return `may not be '${name}'`
  const character = ['/', '%'].find((forbidden) => name.includes(forbidden))
  return character === undefined ? undefined : `may not contain '${character}'`
}

const namePart: PatternRule = {
  pattern: QUALIFIED,
  maxLength: 63,
  rule: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
}

/** What is wrong with the key of a label or annotation: a name, with an optional subdomain before a slash. */
export function qualifiedNameProblems(name: string): string[] {
  const parts = name.split('/')
  if (parts.length > 2)
    return [`${QUALIFIED_SHAPE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  const prefix = parts.length === 2 ? parts[0] : undefined
  const last = parts.at(-1) ?? ''
  const prefixProblems = prefix === undefined ? [] : prefix === '' ? [EMPTY] : [subdomainName(prefix) ?? '']
  return [
    ...prefixProblems.filter((problem) => problem !== '').map((problem) => `prefix part ${problem}`),
    ...(last === '' ? [EMPTY] : [])
      .concat(patternProblems(namePart, last))
      .map((problem) => `name part ${problem}`),
  ]
}

const EMPTY = 'must be non-empty'

const QUALIFIED_SHAPE = explain(
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  QUALIFIED,
  ['MyName', 'my.name', '123-abc'],
)

const labelValue: PatternRule = {
  pattern: LABEL_VALUE,
  maxLength: 63,
  rule: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
}

/** What is wrong with the value of a label. */
export function labelValueProblems(value: string): string[] {
  return patternProblems(labelValue, value)
}

const configKeyPattern = patternRule({
  pattern: CONFIG_KEY,
  maxLength: 253,
  rule: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  examples: ['key.name', 'KEY_NAME', 'key-name'],
})

/** A key in the data of a ConfigMap or Secret. */
export const configKey: NameRule = (key) => {
  if (key === '.' || key === '..') return `must not be '${key}'`
  return key.startsWith('..') ? "must not start with '..'" : configKeyPattern(key)
}

/** What is wrong with the name of a port, each for itself. */
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

/** A subdomain of which the first part is a `*`. */
export const wildcardName = patternRule({
  pattern: `\\*\\.${DNS_SUBDOMAIN}`,
  maxLength: 253,
  unit: 'characters',
  rule: "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  examples: ['*.example.com'],
})
