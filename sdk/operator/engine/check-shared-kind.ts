import difference from 'lodash/difference.js'
import intersection from 'lodash/intersection.js'
import { PluginError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { ControllerOptions } from '../controller/definition.js'
import { declaredConditions, initialStatusOf } from '../controller/own-kind.js'

/** A controller that has no clusters yet. */
interface RegisteredController<T extends KubeObject> {
  readonly name: string
  readonly resource: Resource<T>
  readonly options: ControllerOptions<T>
}

/**
 * Refuses a controller for a kind that another one reconciles already, unless both say that they share it and write
 * different conditions: each would undo the status of the other.
 *
 * @throws `PluginError` `INVALID_REGISTRATION`
 */
export function checkSharedKind<T extends KubeObject>(
  added: RegisteredController<T>,
  others: readonly RegisteredController<KubeObject>[],
): void {
  checkRequired(added)
  for (const other of others) {
    const problem = isOfSameKind(added, other) && problemOf(added, other)
    if (!problem) continue
    const both = `controllers ${other.name} and ${added.name} both reconcile ${formatResource(added.resource)}`
    throw new PluginError('INVALID_REGISTRATION', `${both}${problem}`)
  }
}

/** The other controllers of a shared kind may be in other programs. */
function checkRequired<T extends KubeObject>({ name, resource, options }: RegisteredController<T>): void {
  if (!options.shared) return
  const missing = difference(Object.keys(initialStatusOf(resource)), options.statusFields ?? [])
  if (missing.length === 0) return
  throw new PluginError(
    'INVALID_REGISTRATION',
    `controller ${name} shares ${formatResource(resource)}, whose status requires ${missing.join(', ')}: it could not write a condition without them. Make these fields .optional(), or add them to its statusFields`,
  )
}

function isOfSameKind<T extends KubeObject>(
  one: RegisteredController<T>,
  other: RegisteredController<KubeObject>,
): boolean {
  const isSame = one.resource.group === other.resource.group && one.resource.kind === other.resource.kind
  return isSame && one.options.cluster === other.options.cluster
}

function problemOf<T extends KubeObject>(
  one: RegisteredController<T>,
  other: RegisteredController<KubeObject>,
): string | undefined {
  if (!one.options.shared || !other.options.shared)
    return ': make them one controller, or set shared: true in both'
  const required = Object.keys(initialStatusOf(one.resource))
  if (required.length > 0)
    return `, whose status requires ${required.join(', ')}: one alone could not write it. Make these fields .optional()`
  const types = intersection(typesOf(one), typesOf(other))
  if (types.length > 0) return ` and write the condition ${types.join(', ')}: give each its own conditions`
  const fields = intersection(one.options.statusFields, other.options.statusFields)
  return fields.length > 0
    ? ` and write status.${fields.join(', status.')}: give each its own fields`
    : undefined
}

function typesOf<T extends KubeObject>({ options, resource }: RegisteredController<T>): readonly string[] {
  return options.conditions ?? declaredConditions(resource)
}
