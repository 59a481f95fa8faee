import { PluginError } from './error.js'

/** A requirement for one field of an object. */
export interface FieldRequirement {
  /** A path such as `metadata.name`. */
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

const invalidError = (message: string) => new PluginError('INVALID_SELECTOR', message)

/**
 * Reads a `fieldSelector` query parameter, for example `metadata.name=a,status.phase!=Running`; `\,`, `\=`
 * and `\\` stand for themselves in a value. Throws a `PluginError` (`INVALID_SELECTOR`).
 *
 * See https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  const terms = text.match(/(?:[^\\,]|\\[\s\S]?)+/g) ?? []
  return terms.map((term) => parseFieldTerm(text, term))
}

function parseFieldTerm(text: string, term: string): FieldRequirement {
  const operator = /!=|==?/.exec(term)
  if (operator === null) throw invalidError(`invalid selector: '${text}'; can't understand '${term}'`)
  return {
    field: term.slice(0, operator.index),
    operator: operator[0] === '!=' ? '!=' : '=',
    value: unescapeValue(term.slice(operator.index + operator[0].length)),
  }
}

/** The code of `=`, which the API server prints as a number. */
const codeOfEquals = '='.charCodeAt(0)

function unescapeValue(escaped: string): string {
  return escaped.replace(/\\[\s\S]?|=/g, (sequence) => {
    if (sequence === '=')
      throw invalidError(`invalid field selector: unescaped character in value: ${codeOfEquals}`)
    if (!['\\\\', '\\,', '\\='].includes(sequence)) {
      throw invalidError(`invalid field selector: invalid escape sequence: ${sequence}`)
    }
    return sequence.slice(1)
  })
}

/** Whether an object fulfils every requirement. `get` returns the value at a path; a missing value counts as empty. */
export function matchesFields(
  requirements: readonly FieldRequirement[],
  get: (field: string) => string | undefined,
): boolean {
  return requirements.every(
    ({ field, operator, value }) => ((get(field) ?? '') === value) === (operator === '='),
  )
}
