import { formatKey } from '../../sdk/engine/kube/key.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import type { DevClusters } from '../clusters/clusters.js'
import type { CopyChange } from '../copies/copy-log.js'
import type { CachedDescription } from '../program/cached-description.js'
import type { FoundPlugin } from '../program/find-plugin.js'
import { CopiedSamples } from './copied-samples.js'
import type { DevOptions } from './dev-options.js'
import { sortSamples } from './expected-samples.js'
import { type DevReport, sampleNames } from './report.js'
import { hintsLimitMs, notMirroredError, onceLimitMs } from './wait-limits.js'

/** Options of {@link SampleRun}. */
export interface SampleRunOptions {
  options: Pick<DevOptions, 'samples' | 'once'>
  plugin: FoundPlugin
  description: CachedDescription
  report: DevReport
}

/** Applies the samples of a run, and waits for their copies. */
export class SampleRun {
  readonly #options: SampleRunOptions
  readonly #copied = new CopiedSamples(systemClock)
  #firstCopyMs: number | undefined

  constructor(options: SampleRunOptions) {
    this.#options = options
  }

  /** Records a change of a copy. */
  record(change: CopyChange): void {
    this.#firstCopyMs ??= performance.now()
    this.#copied.record(change)
  }

  /**
   * Applies the samples, waits for their copies and shows a summary. `onDone` is called before the summary. Throws
   * `PluginError` `NOT_MIRRORED` if copies are missing with `once`.
   */
  async mirror(clusters: DevClusters, onDone: () => void): Promise<void> {
    const { once } = this.#options.options
    const samples = await this.#apply(clusters)
    const uncopied = await this.#copied.waitForMissing(samples, once ? onceLimitMs() : hintsLimitMs)
    onDone()
    const [total, firstMs] = [samples.length, this.#firstCopyMs]
    if (total > 0) this.#options.report.summary({ mirrored: total - uncopied.length, total, firstMs })
    if (!once || uncopied.length === 0) return
    const error = this.#options.report.lastErrors.firstOf(uncopied.map(({ key }) => formatKey(key)))
    throw notMirroredError(`no copy of ${sampleNames(uncopied)}`, error)
  }

  /** Applies the samples, and returns those that the plugin should copy. */
  async #apply(clusters: DevClusters) {
    const { options, plugin, description, report } = this.#options
    const { applyAllSamples } = await import('./all-samples.js')
    const applied = await applyAllSamples(clusters, {
      path: plugin.path,
      samples: options.samples,
      onSkipped: report.message,
    })
    const { expected, others } = sortSamples(applied, await description.read())
    if (others.length > 0)
      report.message(`no copy expected of ${sampleNames(others)}: the plugin has no syncer for the kind`)
    return expected
  }
}
