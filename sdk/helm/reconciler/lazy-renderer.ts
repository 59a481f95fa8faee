import { defaultRenderer } from '../render/default-renderer.js'
import type { ChartRenderer } from '../render/renderer.js'
import type { HelmControllerOptions } from './options/options.js'

/** The renderer of a reconciler: the one of its options, or one that is made for the first rendering. */
export class LazyRenderer {
  readonly #options: Pick<HelmControllerOptions, 'renderer' | 'chart'>
  #created: Promise<ChartRenderer> | undefined

  constructor(options: Pick<HelmControllerOptions, 'renderer' | 'chart'>) {
    this.#options = options
  }

  /** The renderer. Rejects if there is none on this machine. */
  get(): Promise<ChartRenderer> {
    const { renderer, chart } = this.#options
    this.#created ??= renderer ? Promise.resolve(renderer) : defaultRenderer([chart])
    return this.#created
  }

  /** Closes the renderer if this class made it. A renderer of the options is closed by its owner. */
  async close(): Promise<void> {
    const renderer = await this.#created?.catch(() => undefined)
    this.#created = undefined
    if (!this.#options.renderer) await renderer?.close()
  }
}
