import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileChart } from '../../chart/chart.js'
import { packChart } from '../../chart/pack-chart.js'

/** The limit of unused archives that are kept. */
const maxIdle = 16

interface Archive {
  readonly path: Promise<string>
  users: number
}

/**
 * The archives of charts in a folder, as the charts were loaded. Users may bring any number of charts, so old archives
 * are deleted.
 */
export class ChartArchives {
  readonly #folder: string
  readonly #archives = new Map<FileChart, Archive>()
  #made = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Calls back with the path of the archive of a chart, which exists until the callback has ended. */
  async use<T>(chart: FileChart, callback: (path: string) => Promise<T>): Promise<T> {
    const archive = this.#archives.get(chart) ?? { path: this.#pack(chart), users: 0 }
    this.#archives.set(chart, archive)
    archive.users++
    try {
      return await callback(await archive.path)
    } finally {
      archive.users--
      await this.#removeOldest()
    }
  }

  async #pack({ metadata, files }: FileChart): Promise<string> {
    const path = join(this.#folder, `${this.#made++}.tgz`)
    await writeFile(path, await packChart(metadata.name, files))
    return path
  }

  async #removeOldest(): Promise<void> {
    const idle = [...this.#archives].filter(([, { users }]) => users === 0)
    const old = idle.slice(0, Math.max(0, idle.length - maxIdle))
    for (const [chart] of old) this.#archives.delete(chart)
    // An archive that could not be written has no file.
    await Promise.all(
      old.map(([, { path }]) =>
        path.then(
          (file) => rm(file, { force: true }),
          () => {},
        ),
      ),
    )
  }
}
