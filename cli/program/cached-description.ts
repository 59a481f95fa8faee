import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'
import type { FoundPlugin } from './find-plugin.js'

/** The description of a plugin's program, which is read once per version of its sources. */
export class CachedDescription {
  readonly #plugin: FoundPlugin
  #description: Promise<PluginDescription | undefined> | undefined

  /** With a description that was read already. */
  constructor(plugin: FoundPlugin, read?: PluginDescription) {
    this.#plugin = plugin
    this.#description = read && Promise.resolve(read)
  }

  /** The description; undefined if the program gives none. */
  read(): Promise<PluginDescription | undefined> {
    this.#description ??= this.#describe()
    return this.#description
  }

  /** Reads the description again at the next call of {@link read}. */
  forget(): void {
    this.#description = undefined
  }

  async #describe(): Promise<PluginDescription | undefined> {
    const { describePlugin } = await import('./describe-program.js')
    // A broken program also fails when it runs, and that error is reported.
    return describePlugin(this.#plugin).catch(() => undefined)
  }
}
