import partition from 'lodash/partition.js'
import { valueAt } from '../../engine/kube/json-object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Kind } from '../kind/define/kind.js'

type DefinedResource = Resource & { readonly schemas?: Kind['schemas'] }

/**
 * The status fields of a controller that the installed definition of its kind lacks. Each is reported once while it is
 * missing.
 */
export class UnknownFields {
  readonly #reported = new Set<string>()

  /** Reports fields, by their names in the status, unless they are known to be missing. */
  report(names: readonly string[], { resource, logger }: { resource: Resource; logger: Logger }): void {
    const newNames = names.filter((name) => !this.#reported.has(name))
    if (newNames.length === 0) return
    for (const name of newNames) this.#reported.add(name)
    const [foreign, late] = partition(newNames, (name) => isMissingIn(resource, name))
    const said = [
      ...foreign.map(
        (name) =>
          `status.${name} was not stored: the kind ${resource.kind} has no such field; add it to status in defineKind and apply the definition, or correct its name in the controller`,
      ),
      ...(late.length > 0 ? [`${pathsOf(late)} not stored: the installed CRD of ${cureOf(resource)}`] : []),
    ]
    for (const message of said) logger.warn({ resource: resource.plural }, message)
  }

  /** Forgets the reported fields, because the definition has every field now. */
  clear(): void {
    this.#reported.clear()
  }
}

/** `status.size was`, or `status.size, status.nodes were`. */
const pathsOf = (names: readonly string[]) =>
  `${names.map((name) => `status.${name}`).join(', ')} ${names.length === 1 ? 'was' : 'were'}`

/** Why a definition lacks a field of the program, and what to do: a kind without schemas is defined elsewhere. */
const cureOf = ({ kind, schemas }: DefinedResource) =>
  schemas
    ? `${kind} is older than the program; apply what vcluster-plugin crd prints`
    : `${kind} has no such field; correct its name, or apply a CRD that has it`

/** Whether the program defines the kind, and its own schema lacks the field, too. */
function isMissingIn(resource: DefinedResource, name: string): boolean {
  const { schema } = resource.schemas?.find((one) => one.name === resource.version) ?? {}
  return schema !== undefined && valueAt(schema, ['properties', 'status', 'properties', name]) === undefined
}
