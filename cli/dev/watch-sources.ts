import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../sdk/time/clock.js'

/** Options of {@link watchSources}. */
export interface WatchSourcesOptions {
  /** The folders, watched with what is below them. */
  roots: readonly string[]
  /** Called once per burst of changes, with the file that began it. */
  onChange: (file: string) => void
  /** Ends the watching. */
  signal: AbortSignal
  /** How long a burst lasts, in milliseconds; default 80. An editor's save is several events. */
  quietMs?: number
  /** Default the machine's clock. */
  clock?: Clock
}

const isSource = (file: string) => /\.[cm]?[jt]sx?$|\.json$/.test(file) && !/\.test\.[cm]?[jt]s$/.test(file)
const isWatched = (folder: string) => !folder.startsWith('.') && !['node_modules', 'dist'].includes(folder)

/**
 * Tells of changes in source files. Watches folder by folder and not recursively, because a plugin's
 * `node_modules` would take thousands of watches. Resolves when the folders of now are watched.
 */
export async function watchSources({ roots, ...options }: WatchSourcesOptions): Promise<void> {
  const watching = new SourceWatch(options)
  await Promise.all(roots.map((root) => watching.add(root)))
}

class SourceWatch {
  readonly #options: Required<Omit<WatchSourcesOptions, 'roots'>>
  readonly #watchers = new Map<string, FSWatcher>()
  #waiting = false

  constructor(options: Omit<WatchSourcesOptions, 'roots'>) {
    this.#options = { quietMs: 80, clock: systemClock, ...options }
    options.signal.addEventListener('abort', () => this.#close(), { once: true })
  }

  /** Watches a folder and those in it; a file or something gone is none of its business. */
  async add(folder: string): Promise<void> {
    if (this.#options.signal.aborted || this.#watchers.has(folder)) return
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
    if (!entries || this.#options.signal.aborted || this.#watchers.has(folder)) return
    const watcher = watch(folder, (_type, name) => this.#changed(folder, name))
    // A folder that goes takes its watcher with it.
    watcher.on('error', () => this.#remove(folder))
    this.#watchers.set(folder, watcher)
    const folders = entries.filter((entry) => entry.isDirectory() && isWatched(entry.name))
    await Promise.all(folders.map(({ name }) => this.add(join(folder, name))))
  }

  #changed(folder: string, name: string | null): void {
    if (name === null) return
    const path = join(folder, name)
    if (isSource(name)) this.#tellOnce(path)
    else if (isWatched(name)) void this.add(path)
  }

  #tellOnce(file: string): void {
    if (this.#waiting) return
    const { clock, quietMs, signal, onChange } = this.#options
    this.#waiting = true
    clock.schedule(quietMs, () => {
      this.#waiting = false
      if (!signal.aborted) onChange(file)
    })
  }

  #remove(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  #close(): void {
    for (const folder of this.#watchers.keys()) this.#remove(folder)
  }
}
