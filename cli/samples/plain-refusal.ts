/** A limit of a schema as an API server writes it, and in plain words. */
const limits: readonly (readonly [RegExp, string])[] = [
  [/^(?:should|must) be less than or equal to (\S+)$/, 'must be at most $1'],
  [/^(?:should|must) be greater than or equal to (\S+)$/, 'must be at least $1'],
  [/^(?:should|must) be less than (\S+)$/, 'must be less than $1'],
  [/^(?:should|must) be greater than (\S+)$/, 'must be more than $1'],
  [/^should be a multiple of (\S+)$/, 'must be a multiple of $1'],
  [/^should be at least 1 chars long$/, 'must not be empty'],
  [/^should be at (least|most) (\d+) chars long$/, 'must have at $1 $2 characters'],
  [/^should have at (least|most) (\d+) (items|properties)$/, 'must have at $1 $2 $3'],
  [/^should match ('.*')$/, 'must match the pattern $1'],
]

const ends = 'and must begin and end with a letter or a digit'

/** The beginning of a rule for names as an API server writes it, and the rule without its regular expression. */
const nameRules: readonly (readonly [string, string])[] = [
  ['a lowercase RFC 1123 subdomain must', `may have lower-case letters, digits, "-" and ".", ${ends}`],
  ['a lowercase RFC 1123 label must', `may have lower-case letters, digits and "-", ${ends}`],
  ['a DNS-1035 label must', `may have lower-case letters, digits and "-", must begin with a letter, ${ends}`],
  ['a valid label must', `may have letters, digits, "-", "_" and ".", ${ends}`],
]

/**
 * A refused value in plain words, with the value and how to correct it: `spec.replicas must be at most 9, got 10; …`.
 * Undefined for other refusals.
 */
export function plainRefusal(reason: string): string | undefined {
  const [, field, value, rule] =
    /^(\S+): Invalid value: ("(?:[^"\\]|\\.)*"|[^\s":]+): (.+)$/s.exec(reason) ?? []
  if (field === undefined || value === undefined || rule === undefined) return undefined
  const [, name] = nameRules.find(([beginning]) => rule.startsWith(beginning)) ?? []
  if (name !== undefined) return `${field} ${name}, got ${value}; ${nameCure(value)}`
  const limit = rule.replace(/^\S+ in body /, '')
  const [form, plain] = limits.find(([form]) => form.test(limit)) ?? []
  return form && plain
    ? `${field} ${limit.replace(form, plain)}, got ${value}; write a value that fits`
    : undefined
}

/** A name that fits every rule, made of the refused one. */
function nameCure(value: string): string {
  const name = value
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 50)
    .replace(/-$/, '')
  return name === '' ? 'write a name that fits' : `write for example ${name}`
}
