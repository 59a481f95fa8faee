import type { Client } from '../../sdk/engine/client/client.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'

/** An object of which a user changed the `spec`. */
interface ChangedSpec {
  readonly resource: Resource
  readonly object: KubeObject
  /** The `spec` that the change made. */
  readonly spec: unknown
}

/**
 * The changes of a step to the primary objects of the first cluster, which a user reverts and then makes again: the
 * fault `flip` of an operator scenario.
 */
export class RevertedChanges {
  readonly #client: () => Client
  readonly #primaries: () => readonly Resource[]
  /** The `spec` of each object before the present step, by UID. */
  readonly #former = new Map<string, unknown>()
  /** The changes that were reverted and not yet made again. */
  #undone: readonly ChangedSpec[] = []

  constructor(client: () => Client, primaries: () => readonly Resource[]) {
    this.#client = client
    this.#primaries = primaries
  }

  /** Whether a change was reverted and not yet made again. */
  get isPending(): boolean {
    return this.#undone.length > 0
  }

  /** Records the `spec` of each object before a step. */
  async record(): Promise<void> {
    this.#former.clear()
    for (const { object } of await this.#objects()) this.#former.set(uidOf(object), specOf(object))
  }

  /** Whether there is a change that {@link undo} would revert. */
  async hasChange(): Promise<boolean> {
    return (await this.#changes()).length > 0
  }

  /** Gives each object that the step changed the `spec` that it had before. Returns whether there is one. */
  async undo(): Promise<boolean> {
    const changes = await this.#changes()
    for (const change of changes)
      await this.#setSpec({ ...change, spec: this.#former.get(uidOf(change.object)) })
    this.#undone = changes
    return this.isPending
  }

  /** Makes the changes again. */
  async redo(): Promise<void> {
    const undone = this.#undone
    this.#undone = []
    for (const changed of undone) await this.#setSpec(changed)
  }

  async #changes(): Promise<ChangedSpec[]> {
    const objects = await this.#objects()
    return objects
      .map((change) => ({ ...change, spec: specOf(change.object) }))
      .filter(({ object, spec }) => {
        const uid = uidOf(object)
        return this.#former.has(uid) && !jsonEqual(this.#former.get(uid), spec)
      })
  }

  async #objects(): Promise<{ resource: Resource; object: KubeObject }[]> {
    const all: { resource: Resource; object: KubeObject }[] = []
    for (const resource of this.#primaries())
      for (const object of (await this.#client().listAll(resource)).items) all.push({ resource, object })
    return all
  }

  async #setSpec({ resource, object, spec }: ChangedSpec): Promise<void> {
    const body = [
      { op: 'test' as const, path: '/metadata/uid', value: object.metadata.uid },
      { op: 'replace' as const, path: '/spec', value: spec },
    ]
    try {
      await this.#client().patch(resource, keyOf(object), { type: 'json', body })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}

const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? ''

const specOf = (object: KubeObject): unknown => (object as { spec?: unknown }).spec
