/** Says what is wrong with a name, or nothing. */
export type NameRule = (name: string) => string | undefined

const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`
const DNS_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const LABEL_VALUE = `(${QUALIFIED})?`
const MAX_LABEL = 63
const CONFIG_KEY = '[-._a-zA-Z0-9]+'

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`)
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

function patternRule({ pattern, maxLength, unit = 'bytes', rule, examples }: PatternRule): NameRule {
  const expression = whole(pattern)
  return (name) => {
    if (name.length > maxLength) return tooLong(maxLength, unit)
    return expression.test(name) ? undefined : explain(rule, pattern, examples)
  }
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

const namePart = patternRule({
  pattern: QUALIFIED,
  maxLength: 63,
  rule: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
})

/** The key of a label or annotation: a name, with an optional subdomain before a slash. */
export const qualifiedName: NameRule = (name) => {
  const parts = name.split('/')
  if (parts.length > 2) {
    const shape = explain(
      "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      QUALIFIED,
      ['MyName', 'my.name', '123-abc'],
    )
    return `${shape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`
  }
  const prefix = parts.length === 2 ? parts[0] : undefined
  const last = parts.at(-1) ?? ''
  if (prefix === '') return 'prefix part must be non-empty'
  const prefixProblem = prefix === undefined ? undefined : subdomainName(prefix)
  if (prefixProblem !== undefined) return `prefix part ${prefixProblem}`
  if (last === '') return 'name part must be non-empty'
  const problem = namePart(last)
  return problem === undefined ? undefined : `name part ${problem}`
}

/** The value of a label. */
export const labelValue = patternRule({
  pattern: LABEL_VALUE,
  maxLength: 63,
  rule: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
})

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
