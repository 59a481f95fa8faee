/** The API server's words before the reason; the sentence about a sample names its kind and its name already. */
const prefaces = [
  /^\S+ "[^"]*" is invalid: /,
  /^\S+ in version "[^"]*" cannot be handled as a \S+: /,
  /^strict decoding error: /,
]

const correct = 'correct the sample'

/** The change of the sample that mends a refusal, by its reason. */
const cures: readonly (readonly [RegExp, string])[] = [
  [/unknown field "[^"]*"$/, 'correct its name, or remove it'],
  [/^namespaces "[^"]*" not found$/, 'write the Namespace before this object'],
  [/^[^:,]+: Required value$/, 'set it'],
]

/** Go's message about a value of a wrong type, and that of the schema of a definition. */
const wrongTypes = [
  /^json: cannot unmarshal (?<given>\w+) into Go struct field (?<field>\S+) of type (?<wanted>\S+)$/,
  /^(?<field>\S+): Invalid value: "(?<given>\w+)": \S+ in body must be of type (?<wanted>\w+): "\w+"$/,
]

/**
 * Why an API server refused a sample, without the words that repeat the kind and the name, and how to correct it. A
 * value of a wrong type is said in plain words.
 */
export function refusalText(message: string): string {
  const reason = prefaces.reduce((text, preface) => text.replace(preface, ''), message)
  const { given, field, wanted } =
    wrongTypes.map((form) => form.exec(reason)?.groups).find((groups) => groups) ?? {}
  if (field === undefined) return `${reason}; ${cures.find(([form]) => form.test(reason))?.[1] ?? correct}`
  const isQuotable = wanted === 'string' && /^(number|integer|bool(ean)?)$/.test(String(given))
  const cure = isQuotable ? 'put the value in quotes' : correct
  return `${field} must be of type ${wanted}, got ${/^[aeiou]/.test(String(given)) ? 'an' : 'a'} ${given}; ${cure}`
}
