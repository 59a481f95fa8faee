import { memberOf } from './json-object.js'

/**
 * The line with which a difference begins: `@@ -13,7 +13,7 @@` of a present kube-apiserver, or the type of the compared
 * objects in Go and a bracket of an earlier one. It begins at one line break only: any server may answer, also with
 * millions of them.
 */
const firstLine = /\n(?:@@ -|[^\S\n]*[&*]?(?:\[\])?(?:map\[\w+\])?[\w.]+[{(])/
/** The beginning of a cause that quotes an object or a list, as JSON or in the form of Go. */
const quotedObject = /^((?:Invalid|Duplicate|Unsupported) value): (?:[{[&*]|map\[|[\w.]+(?:\[[^\]\n]*\])?\{)/

/**
 * A cause of a refusal without the difference of two objects. An API server appends the difference to some causes after
 * a line break; it has values of the objects, such as those of environment variables.
 */
export function withoutDifference(cause: string): string {
  const start = cause.search(firstLine)
  return start < 0 ? cause : cause.slice(0, start).trimEnd()
}

/**
 * The message of a refusal without the objects that its causes show, `details.causes` of the Status, which may come
 * from another program than an API server. The message is made of the causes again, as an API server makes it, if one
 * of them shows an object.
 */
export function withoutObjects(message: string, causes: unknown): string {
  const all = Array.isArray(causes) ? causes.flatMap(readCause) : []
  if (all.every(({ text, shown }) => text === shown)) return message
  const texts = all.map(({ field, shown }) => (field === '' ? shown : `${field}: ${shown}`))
  const list = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
  const [, begin = 'the API server rejects the object: '] =
    /^([^\n]{0,1000}? is invalid: )/.exec(message) ?? []
  return begin + list
}

interface Cause {
  readonly field: string
  readonly text: string
  /** The text without objects. */
  readonly shown: string
}

function readCause(cause: unknown): Cause[] {
  const [text, field] = [memberOf(cause, 'message'), memberOf(cause, 'field')]
  if (typeof text !== 'string') return []
  return [{ text, field: typeof field === 'string' ? field : '', shown: withoutObject(text) }]
}

/** A cause with `{…}` for an object or a list that it quotes, and without a difference. */
function withoutObject(cause: string): string {
  const [, begin] = quotedObject.exec(cause) ?? []
  if (begin === undefined) return withoutDifference(cause)
  const [rule = ''] = /: [^:"]+$/.exec(cause) ?? []
  return `${begin}: {…}${rule}`
}
