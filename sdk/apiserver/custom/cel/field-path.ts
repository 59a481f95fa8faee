import { additionalOf, propertyOf, type Schema } from '../schema.js'

const STEP = /\.([^.[\]]*)|\['((?:[^'\\]|\\.)*)'\]/y

/**
 * The schema that a simple JSON path leads to, for example `.spec.rows` or `['a.b']`; nothing where it leads
 * nowhere. Follows `ValidFieldPath` in `pkg/apiserver/schema/cel/validation.go` of k8s.io/apiextensions-apiserver
 * v0.36.3.
 */
export function schemaAtPath(schema: Schema, path: string): Schema | undefined {
  let at: Schema | undefined = schema
  for (const name of stepsOf(path) ?? ['']) {
    if (at === undefined) return undefined
    at = at.properties === undefined ? additionalOf(at) : propertyOf(at, name)
  }
  return at
}

/** The names on a path; nothing where it is none. */
export function stepsOf(path: string): readonly string[] | undefined {
  const steps: string[] = []
  const step = new RegExp(STEP)
  while (step.lastIndex < path.length) {
    const match = step.exec(path)
    if (match === null) return undefined
    steps.push(match[1] ?? unescaped(match[2] ?? ''))
  }
  return steps
}

const unescaped = (text: string) => text.replaceAll(/\\(.)/g, (_all, character: string) => character)

/** A path as the fields of errors are written. */
export function normalizedPath(path: string): string {
  return (stepsOf(path) ?? []).join('.')
}
