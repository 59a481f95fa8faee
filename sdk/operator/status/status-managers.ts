import type { Client } from '../../engine/client/client.js'
import { jsonEqual } from '../../engine/kube/json.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf, type Resource } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { ManagedFieldsEntry } from '../apply/managed-leaves.js'
import { takeOver } from '../apply/take-over.js'

/** Options of {@link StatusManagers}. */
export interface StatusManagersOptions {
  /** The name of the program, with which the names of its own field managers begin. */
  program: string
  resource: Resource
  /** The new name of each former field manager. */
  renamed: ReadonlyMap<string, string>
  logger: Logger
}

/** A status that a controller applies, and its part of the status on the API server. */
export interface AppliedStatus {
  readonly wanted: object
  readonly live: object
}

/** The field managers of other operators: `<operator>.<controller>`. */
const operatorManager = /^[^.]+\.[^.]+$/

/** The largest number of reported managers: users of a virtual cluster can write a status under any name. */
const maxReported = 100

/** The largest number of characters of a manager in a message: the writer of a status chooses its name. */
const maxQuoted = 60

const quoted = (manager: string) =>
  JSON.stringify(manager.length > maxQuoted ? `${manager.slice(0, maxQuoted)}…` : manager)

/** The field managers of the status of one kind: takes over the fields of former ones, and finds other operators. */
export class StatusManagers {
  readonly #options: StatusManagersOptions
  /** The UID of the object of each key whose fields were taken over. */
  readonly #taken = new Map<string, string>()
  readonly #reported = new Set<string>()
  /** The status of each key whose apply left the live status different from the wanted one. */
  readonly #kept = new Map<string, AppliedStatus>()

  constructor(options: StatusManagersOptions) {
    this.#options = options
  }

  /** Takes over the fields of former managers, before the first write of an object's status. */
  async takeOver(object: KubeObject, client: Client): Promise<void> {
    const { renamed, resource } = this.#options
    const { uid = '' } = object.metadata
    const key = keyOf(object)
    if (renamed.size === 0 || this.#taken.get(formatKey(key)) === uid) return
    const live = await client.get(resource, key)
    const patch = takeOver(live, { renamed, apiVersion: apiVersionOf(resource), subresource: 'status' })
    if (patch && live.metadata.uid === uid) await client.patch(resource, key, { type: 'json', body: patch })
    this.#taken.set(formatKey(key), uid)
  }

  /**
   * Remembers the live status after an apply. It may differ from the wanted one: a condition that was left out stays if
   * another controller of the kind wrote it.
   */
  noteApplied(key: Key, applied: AppliedStatus): void {
    if (jsonEqual(applied.wanted, applied.live)) this.#kept.delete(formatKey(key))
    else this.#kept.set(formatKey(key), applied)
  }

  /** Whether the same apply to the same status is known to change nothing. */
  isKept(key: Key, { wanted, live }: AppliedStatus): boolean {
    const kept = this.#kept.get(formatKey(key))
    return kept !== undefined && jsonEqual(wanted, kept.wanted) && jsonEqual(live, kept.live)
  }

  /** Forgets an object that is gone. */
  forget(key: Key): void {
    this.#taken.delete(formatKey(key))
    this.#kept.delete(formatKey(key))
  }

  /** The number of objects that are remembered. */
  get size(): number {
    return this.#taken.size + this.#kept.size
  }

  /** Reports, once for each, the other operators that write the status of an object; `answer` is that of a write. */
  report(answer: KubeObject): void {
    const { program, resource, renamed, logger } = this.#options
    const entries = (answer.metadata.managedFields ?? []) as readonly ManagedFieldsEntry[]
    for (const { manager = '', operation, subresource } of entries) {
      if (operation !== 'Apply' || subresource !== 'status' || !operatorManager.test(manager)) continue
      if (manager.startsWith(`${program}.`) || renamed.has(manager) || this.#reported.has(manager)) continue
      if (this.#reported.size >= maxReported) return
      this.#reported.add(manager)
      logger.warn(
        { manager, resource: resource.plural, object: formatKey(keyOf(answer)) },
        `another field manager writes the status of ${resource.kind} objects, too: ${quoted(manager)}. If it is an operator, ` +
          'stop one of the two, or name it in formerFieldManagers if this operator replaces it',
      )
    }
  }
}
