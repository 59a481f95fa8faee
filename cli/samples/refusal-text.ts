/** The API server's words before the reason; the sentence about a sample names its kind and its name already. */
const prefaces = [
  /^\S+ "[^"]*" is invalid: /,
  /^\S+ in version "[^"]*" cannot be handled as a \S+: /,
  /^strict decoding error: /,
]

/**
 * Why an API server refused a sample, without the words that repeat the kind and the name. Go's message about a value
 * of a wrong type is said in plain words.
 */
export function refusalText(message: string): string {
  const reason = prefaces.reduce((text, preface) => text.replace(preface, ''), message)
  const [, given, field, wanted] =
    /^json: cannot unmarshal (\w+) into Go struct field (\S+) of type (\S+)$/.exec(reason) ?? []
  if (field === undefined) return reason
  const quotes =
    wanted === 'string' && (given === 'number' || given === 'bool') ? '; put the value in quotes' : ''
  return `${field} must be of type ${wanted}, got a ${given}${quotes}`
}
