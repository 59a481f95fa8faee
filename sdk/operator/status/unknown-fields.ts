import type { Resource } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'

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
    const paths = newNames.map((name) => `status.${name}`).join(', ')
    logger.warn(
      { resource: resource.plural },
      `${paths} is not in the installed CRD: apply the newer definition`,
    )
  }

  /** Forgets the reported fields, because the definition has every field now. */
  clear(): void {
    this.#reported.clear()
  }
}
