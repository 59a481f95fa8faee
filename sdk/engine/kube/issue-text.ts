/** The words of zod before its messages. The sentences here say already that the value is wrong. */
const preface = /^(?:Invalid (?:input|option|string|number)|Too (?:big|small)): /

/** A limit in the words of zod, for example `expected string to have >=1 characters`. */
const limit = /^expected \S+ to (be|have) ([<>]=?)(\S+)(?: (.+))?$/

const comparisons: Readonly<Record<string, string>> = {
  '<=': 'at most',
  '>=': 'at least',
  '<': 'less than',
  '>': 'more than',
}

/**
 * The message of an issue of a zod schema, without zod's preface: `expected number, received string`. A limit is in
 * words: `must be at most 5`.
 */
export function issueText({ message }: { readonly message: string }): string {
  return message.replace(preface, '').replace(limit, (_, verb, sign, bound, unit) => {
    const counted = unit && (bound === '1' ? unit.replace(/s$/, '') : unit)
    return [`must ${verb} ${comparisons[sign]}`, bound, counted].filter(Boolean).join(' ')
  })
}
