/** Types as schemas, zod and Go name them, in plain words; the first that fits. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^(u?int\d*|integer)$/, 'a whole number'],
  [/^(float\d+|number)$/, 'a number'],
  [/^string$/, 'a string'],
  [/^bool(ean)?$/, 'true or false'],
  [/^\[\]uint8$/, 'base64 text'],
  [/^(array$|\[\])/, 'a list'],
  [/^map\[string\]string$/, 'an object of strings'],
  [/^(object$|record$|map\[)/, 'an object'],
  [/^null$/, 'null'],
]

/**
 * The problem of a value whose type is wrong, in plain words: `must be a string, got a whole number`. Several types
 * that are permitted are separated by ` or `.
 */
export function typeProblem({ wanted, given }: { wanted: string; given: string }): string {
  const permitted = wanted.split(/ or |, /).map((type) => wordsFor(type) ?? namedType(type, given))
  const isHalf = /^(u?int\d*|integer)$/.test(wanted) && given === 'number'
  return `must be ${permitted.join(' or ')}${isHalf ? '' : `, got ${givenWords(given)}`}`
}

/** A named type of Go has an object or a text; one that takes no text has an object. */
const namedType = (type: string, given: string) =>
  given === 'string' && /^\*?[a-z\d]+\.[A-Z]/.test(type) ? 'an object' : `of type ${type}`

/** The type of the value that was given; `true or false` would read like the value. */
const givenWords = (type: string) => (type.startsWith('bool') ? 'a boolean' : (wordsFor(type) ?? type))

function wordsFor(type: string): string | undefined {
  const bare = type.replace(/^\*/, '')
  return words.find(([form]) => form.test(bare))?.[1]
}
