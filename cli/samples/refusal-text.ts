import { typeProblem } from '../../sdk/engine/kube/type-words.js'
import { plainRefusal } from './plain-refusal.js'

/** The API server's words before the reason; the sentence about a sample names its kind and its name already. */
const prefaces = [
  /^\S+ "[^"]*" is invalid: /,
  /^\S+ in version "[^"]*" cannot be handled as a \S+: /,
  /^strict decoding error: /,
]

const correct = 'correct it in the sample'

/** The change of the sample that mends a refusal, by its reason. */
const cures: readonly (readonly [RegExp, string])[] = [
  [/unknown field "[^"]*"$/, 'correct its name, or remove it'],
  [/^namespaces "[^"]*" not found$/, 'write the Namespace before this object'],
  [/^[^:,]+: Required value$/, 'set it'],
  [/: Unsupported value: .*: supported values: [^;]+$/, 'use one of these values'],
  [/: Duplicate value: [^:]+$/, 'remove one of the two'],
  [/: Too long: [^:]+$/, 'shorten it'],
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
  const text = prefaces.reduce((rest, preface) => rest.replace(preface, ''), message)
  return problemsIn(text).map(problemText).join('; ')
}

/** The problems of a refusal: several are a list in brackets. */
function problemsIn(text: string): string[] {
  if (!/^\[.*\]$/s.test(text)) return [text]
  return text
    .slice(1, -1)
    .split(/, (?=[^\s:,]+: (?:Required|Invalid|Unsupported|Duplicate|Forbidden|Not|Too) )/)
}

function problemText(reason: string): string {
  const { given, field, wanted } =
    wrongTypes.map((form) => form.exec(reason)?.groups).find((groups) => groups) ?? {}
  if (given === undefined || field === undefined || wanted === undefined)
    return plainRefusal(reason) ?? `${reason}; ${cures.find(([form]) => form.test(reason))?.[1] ?? correct}`
  return `${fieldOfGo(field)} ${typeProblem({ wanted, given })}; ${cureOfType(given, wanted)}`
}

/** A message of an API server that could not read a written object, in plain words; another one as it is. */
export function plainDecoding(message: string): string {
  const [, kind, reason = ''] =
    /\S+ in version "[^"]*" cannot be handled as a (\S+): (json: .*)$/s.exec(message) ?? []
  const { given, field, wanted } = wrongTypes[0]?.exec(reason)?.groups ?? {}
  return given === undefined || field === undefined || wanted === undefined
    ? message
    : `the API server refuses the ${kind}: ${fieldOfGo(field)} ${typeProblem({ wanted, given })}; correct it in the program`
}

/** The path of a field that Go names with the type that has it: `ObjectMeta.labels` is `metadata.labels`. */
function fieldOfGo(field: string): string {
  const [, type, rest = field] = /^([A-Z]\w*)\.(.+)$/.exec(field) ?? []
  return type === 'ObjectMeta' && !/(^|\.)metadata\./.test(rest) ? `metadata.${rest}` : rest
}

function cureOfType(given: string, wanted: string): string {
  if (wanted === 'string' && /^(number|integer|bool(ean)?)$/.test(given)) return 'put the value in quotes'
  return given === 'string' && /^(u?int\d*|integer|bool(ean)?)$/.test(wanted)
    ? 'write it without quotes, if it has them'
    : correct
}
