import type { Client } from '../../../engine/client/client.js'
import { isConflict } from '../../../engine/kube/error.js'
import { keyOf } from '../../../engine/kube/key.js'
import type { Module } from '../../kinds/module.js'
import { modules } from '../../kinds/module-kind.js'

/** The maximum number of attempts of a write, which a conflict repeats. */
const maxAttempts = 4

/** Called after a conflict with the Module as it is; throws if the write must not be repeated. */
type CheckRepeat = (live: Module) => void

/**
 * Reads and writes annotations of one incarnation of a Module, each write at the revision that was read. A call uses it
 * for the frozen definition, the metadata and the sleepers.
 */
export class ModuleAnnotations {
  readonly #client: Client
  #live: Module

  private constructor(client: Client, live: Module) {
    this.#client = client
    this.#live = live
  }

  /** Reads a Module from the API server. Rejects if the Module was created again meanwhile. */
  static async read(client: Client, module: Pick<Module, 'metadata'>): Promise<ModuleAnnotations> {
    const live = await client.get(modules, keyOf(module))
    if (live.metadata.uid === module.metadata.uid) return new ModuleAnnotations(client, live)
    throw new Error(`Module ${module.metadata.name} was created again meanwhile`)
  }

  /** The Module as it was read or written last. */
  get module(): Module {
    return this.#live
  }

  get(name: string): string | undefined {
    return this.#live.metadata.annotations?.[name]
  }

  /** Sets an annotation; `null` removes it. `mayRepeat` decides after a conflict. */
  async set(name: string, value: string | null, mayRepeat: CheckRepeat = () => {}): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#live = await this.#patch(name, value)
        return
      } catch (error) {
        if (!isConflict(error) || attempt === maxAttempts) throw error
        const { module } = await ModuleAnnotations.read(this.#client, this.#live)
        mayRepeat(module)
        this.#live = module
      }
    }
  }

  /** Writes an annotation. A conflict shows that the Module has changed since it was read. */
  #patch(name: string, value: string | null): Promise<Module> {
    const { uid, resourceVersion } = this.#live.metadata
    const body = { metadata: { uid, resourceVersion, annotations: { [name]: value } } }
    return this.#client.patch(modules, keyOf(this.#live), { type: 'merge', body })
  }
}
