import type { AdmissionAttributes } from '../admission-attributes.js'
import type { RunExpression } from './expressions.js'
import { PolicyProblem } from './params.js'
import type { PolicySpec } from './policy.js'

/** The message of an error. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The namespace of an object; a Namespace is in none. */
export function namespaceOf({ request: { resource, server, target } }: AdmissionAttributes) {
  if (!resource.namespaced || resource.storage === 'namespaces') return undefined
  return server.find('namespaces', '', target.namespace)
}

/** Whether all match conditions of a policy hold. A false one outweighs errors. Throws a {@link PolicyProblem}. */
export function conditionsHold({ matchConditions = [] }: PolicySpec, run: RunExpression): boolean {
  const results = matchConditions.map(({ expression }) => {
    try {
      return run(expression, { type: 'bool' }) === true
    } catch (error) {
      return messageOf(error)
    }
  })
  if (results.includes(false)) return false
  const errors = results.filter((result) => typeof result === 'string')
  if (errors.length === 0) return true
  throw new PolicyProblem(errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]`)
}
