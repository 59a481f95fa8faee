import { memberOf } from './json-object.js'

/**
 * The line with which a difference begins: `@@ -13,7 +13,7 @@` of a present kube-apiserver, or the type of the compared
 * objects in Go and a bracket of an earlier one.
 */
const firstLine = /\n(?:@@ -|\s*[&*]?(?:\[\])?(?:map\[\w+\])?[\w.]+[{(])/

/**
 * A cause of a refusal without the difference of two objects. An API server appends the difference to some causes after
 * a line break; it has values of the objects, such as those of environment variables.
 */
export function withoutDifference(cause: string): string {
  const start = cause.search(firstLine)
  return start < 0 ? cause : cause.slice(0, start)
}

/**
 * The message of a refusal without the differences of objects in its causes, `details.causes` of the Status, which may
 * come from another program than an API server.
 */
export function withoutDifferences(message: string, causes: unknown): string {
  const texts = Array.isArray(causes) ? causes.map((cause) => memberOf(cause, 'message')) : []
  return texts
    .filter((text) => typeof text === 'string')
    .filter((text) => firstLine.test(text))
    .reduce((all, text) => all.replaceAll(text, () => withoutDifference(text)), message)
}
