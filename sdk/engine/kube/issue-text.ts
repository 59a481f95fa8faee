import { typeProblem } from './type-words.js'

/** The words of zod before its messages. The sentences here say already that the value is wrong. */
const preface = /^(?:Invalid (?:input|option|string|number)|Too (?:big|small)): /

/** A limit in the words of zod, for example `expected string to have >=1 characters`. */
const limit = /^expected \S+ to (be|have) ([<>]=?|exactly )(\S+)(?: (.+))?$/

const comparisons: Readonly<Record<string, string>> = {
  '<=': 'at most',
  '>=': 'at least',
  '<': 'less than',
  '>': 'more than',
  'exactly ': 'exactly',
}

/** The messages of zod, without their preface, that have plainer words. */
const plainer: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [limit, (text, verb = '', sign = '', bound = '', unit) => limitText(text, { verb, sign, bound, unit })],
  // Text that a schema reads as a number, a date or a large number: the type that it became does not help.
  [/^expected number, received NaN$/, () => 'must be a number'],
  [/^expected date, received (?!undefined$)\S+$/, () => 'must be a date'],
  [/^expected bigint, received string$/, () => 'must be a whole number'],
  [/^expected (\S+), received (\S+)$/, (_, wanted = '', given = '') => typeText(wanted, given)],
  [/^expected (?:one of )?("[^|]*"|-?\d[^|\s]*|true|false|null)$/, (_, value) => `must be ${value}`],
  [/^expected one of (".*")$/, (_, values = '') => `must be one of ${values.replaceAll('"|"', '", "')}`],
  [/^expected one of ([^"]+)$/, (_, values = '') => `must be one of ${values.replaceAll('|', ', ')}`],
  [/^Unrecognized (keys?: .*)$/, (_, keys = '') => keys.replace(/^key/, 'unknown field')],
  [
    /^Invalid discriminator value\. Expected (.*)$/,
    (_, values = '') => `must be one of ${quotedValues(values)}`,
  ],
  [
    /^Invalid ((?:\S+ )?(?:address|URL|UUID|datetime|date|time|duration|range|string))$/,
    (_, form) => `is not a valid ${form}`,
  ],
  [/^Invalid (lowercase|uppercase)$/, (_, form) => `must be ${form}`],
  [/^Invalid input$/, () => 'is not valid'],
]

/**
 * The message of an issue of a zod schema in plain words: `must be a string, got a number`, `must be at most 5`. A
 * message that the schema itself gives is kept.
 */
export function issueText({ message, code }: { readonly message: string; readonly code?: unknown }): string {
  if (message === 'Invalid input' && code === 'invalid_union')
    return 'has none of the forms that its schema permits'
  const text = message.replace(preface, '')
  const [form, plain] = plainer.find(([form]) => form.test(text)) ?? []
  return form && plain ? text.replace(form, plain) : text
}

/** The values `'a' | 'b'` as `"a", "b"`. */
const quotedValues = (values: string) => values.replaceAll("' | '", '", "').replace(/^'|'$/g, '"')

/** A limit in words: `must have at least 1 character`. */
function limitText(
  text: string,
  { verb, sign, bound, unit }: { verb: string; sign: string; bound: string; unit: string | undefined },
): string {
  if (comparisons[sign] === undefined) return text
  const counted = unit && (bound === '1' ? unit.replace(/s$/, '') : unit)
  return [`must ${verb} ${comparisons[sign]}`, bound, counted].filter(Boolean).join(' ')
}

/** The type that a value should have, and the one that it has. */
const typeText = (wanted: string, given: string) =>
  given === 'undefined' ? 'is required' : typeProblem({ wanted, given })
