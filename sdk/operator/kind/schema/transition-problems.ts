import { celCode } from './cel-code.js'
import type { JsonSchema } from './json-schema.js'
import type { KindProblem } from './problem.js'

/** A node of a schema. */
interface SchemaNode {
  readonly path: string
  readonly schema: JsonSchema
  /** The outermost list around it whose elements have no former values. */
  readonly list?: string
}

/**
 * Finds rules with `oldSelf` inside lists whose elements have no former values: an API server finds these by the keys
 * of a `k.listMap`, and by nothing else. Rules with `unchecked` are left out.
 */
export function transitionProblems({ path, schema, list }: SchemaNode): KindProblem[] {
  const { properties = {}, additionalProperties, items } = schema
  const around = list !== undefined && { list }
  const isKeyed = schema['x-kubernetes-list-type'] === 'map'
  const inner: SchemaNode[] = [
    ...Object.entries(properties).map(([name, field]) => ({
      path: `${path}.${name}`,
      schema: field,
      ...around,
    })),
    ...(additionalProperties ? [{ path: `${path}{}`, schema: additionalProperties, ...around }] : []),
    ...(items ? [{ path: `${path}[]`, schema: items, ...(isKeyed ? around : { list: list ?? path }) }] : []),
  ]
  return [...ownProblems({ path, schema, ...around }), ...inner.flatMap(transitionProblems)]
}

function ownProblems({ path, schema, list }: SchemaNode): KindProblem[] {
  if (list === undefined) return []
  const rules = schema['x-kubernetes-validations'] ?? []
  return rules
    .filter(({ rule, unchecked }) => unchecked === undefined && usesOldSelf(rule))
    .map(({ rule }) => ({
      path,
      construct: `rule ${JSON.stringify(rule)}`,
      message: `uses oldSelf, and the elements of ${list} have no former value; use k.listMap, or put the rule on ${list} or its parent`,
    }))
}

const usesOldSelf = (rule: string) => /(?<!\w|\.\??\s*)oldSelf(?!\w)/.test(celCode(rule))
