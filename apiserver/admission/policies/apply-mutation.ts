import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { apiVersionOf } from '../../../sdk/engine/kube/resource.js'
import { withMapLiterals } from '../../custom/cel/object-literals.js'
import { mergeByType } from '../../fields/merge.js'
import { resourceType } from '../../fields/resource-type.js'
import { applyJsonPatch, FailedTest } from '../../patch/json-patch.js'
import type { ServedResource } from '../../resources/served-resource.js'
import { atomicPaths } from './atomic-paths.js'
import type { RunExpression } from './expressions.js'
import { PolicyProblem } from './params.js'
import type { Mutation } from './policy.js'

interface MutationContext {
  readonly run: RunExpression
  readonly resource: ServedResource
}

/** Returns the object after one mutation of a policy. Throws a {@link PolicyProblem}. */
export function applyMutation(
  object: KubeObject,
  mutation: Mutation,
  { run, resource }: MutationContext,
): KubeObject {
  if (mutation.patchType === 'JSONPatch') {
    const steps = jsonOf(run(mutation.jsonPatch?.expression ?? '', { isMutation: true }))
    return applySteps(object, Array.isArray(steps) ? steps : [])
  }
  const { mismatch } = withMapLiterals(mutation.applyConfiguration?.expression ?? '')
  if (mismatch !== undefined) throw new PolicyProblem(mismatch)
  const desired = jsonOf(run(mutation.applyConfiguration?.expression ?? '', { isMutation: true }))
  if (!isJsonObject(desired))
    throw new PolicyProblem('the expression of an ApplyConfiguration must return an Object')
  return mergeConfiguration(object, desired, resource)
}

function applySteps(object: KubeObject, steps: readonly object[]): KubeObject {
  try {
    return applyJsonPatch(object, steps) as KubeObject
  } catch (error) {
    // A test that fails only means that the patch is not applied.
    if (error instanceof FailedTest) return object
    const why = error instanceof Error ? error.message : String(error)
    throw new PolicyProblem(`JSON Patch: ${why}`)
  }
}

/** The object with the fields of a configuration, merged as server-side apply merges them. */
function mergeConfiguration(
  object: KubeObject,
  desired: Record<string, unknown>,
  resource: ServedResource,
): KubeObject {
  const type = resourceType(resource)
  const configuration = { ...desired, kind: resource.kind, apiVersion: apiVersionOf(resource) }
  const atomics = atomicPaths(configuration, type)
  if (atomics.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`
    throw new PolicyProblem(`error applying patch: invalid ApplyConfiguration: ${why}`)
  }
  return mergeByType(object, configuration, type) as KubeObject
}

/** A value of CEL as JSON. */
function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(jsonOf)
  if (value instanceof Map) return jsonOf(Object.fromEntries(value))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]))
}
