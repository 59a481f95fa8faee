/**
 * The API's rules for names, label keys and label values, and its messages about invalid ones, with the words
 * of https://github.com/kubernetes/apimachinery/blob/v0.36.3/pkg/util/validation/validation.go
 */

/** A name that has to match a pattern. */
export interface PatternRule {
  readonly pattern: string
  readonly maxLength: number
  /** The unit of the limit; bytes by default. */
  readonly unit?: 'characters' | 'bytes'
  /** The rule for a name, in words. */
  readonly rule: string
  readonly examples: readonly string[]
}

/** A part of a DNS name (RFC 1123). */
export const dnsLabelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'

/** Names of several parts (RFC 1123): what most objects are called. */
export const subdomainForm: PatternRule = {
  pattern: `${dnsLabelPattern}(\\.${dnsLabelPattern})*`,
  maxLength: 253,
  unit: 'characters',
  rule: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
}

const qualifiedForm = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const keyExamples = ['MyName', 'my.name', '123-abc']
const emptyProblem = 'must be non-empty'

const namePartForm: PatternRule = {
  pattern: qualifiedForm,
  maxLength: 63,
  rule: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: keyExamples,
}

const valueForm: PatternRule = {
  pattern: `(${qualifiedForm})?`,
  maxLength: 63,
  rule: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
}

const expressions = new Map<string, RegExp>()

function whole(pattern: string): RegExp {
  const expression = expressions.get(pattern) ?? new RegExp(`^(?:${pattern})$`)
  expressions.set(pattern, expression)
  return expression
}

function explain({ rule, pattern, examples }: PatternRule): string {
  const list = examples.map((example) => `'${example}'`).join(',  or ')
  return `${rule} (e.g. ${list}, regex used for validation is '${pattern}')`
}

/** The problems of a name by one rule; none when it is valid. */
export function patternProblems(rule: PatternRule, name: string): string[] {
  const { pattern, maxLength, unit = 'bytes' } = rule
  return [
    ...(name.length > maxLength ? [`must be no more than ${maxLength} ${unit}`] : []),
    ...(whole(pattern).test(name) ? [] : [explain(rule)]),
  ]
}

/**
 * The problems of the key of a label or annotation: a name, with an optional subdomain and a slash before it.
 */
export function labelKeyProblems(key: string): string[] {
  const [name = '', prefix, ...more] = key.split('/').reverse()
  if (more.length > 0) {
    const shape = explain({ ...namePartForm, rule: `a valid label key ${namePartForm.rule}` })
    return [`${shape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  }
  const ofPrefix =
    prefix === undefined ? [] : prefix === '' ? [emptyProblem] : patternProblems(subdomainForm, prefix)
  const ofName = [...(name === '' ? [emptyProblem] : []), ...patternProblems(namePartForm, name)]
  return [
    ...ofPrefix.map((problem) => `prefix part ${problem}`),
    ...ofName.map((problem) => `name part ${problem}`),
  ]
}

/** The problems of the value of a label. */
export function labelValueProblems(value: string): string[] {
  return patternProblems(valueForm, value)
}
