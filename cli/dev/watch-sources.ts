import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../sdk/engine/time/clock.js'

/** Options of {@link watchSources}. */
export interface WatchSourcesOptions {
  /** The folders, with their subfolders. */
  roots: readonly string[]
  /** Called once per burst of changes, with the first changed file. */
  onChange: (file: string) => void
  /** Called for each folder whose changes cannot be noticed, with the reason and what to do. */
  onUnwatched: (problem: string) => void
  /** Stops the watch. */
  signal: AbortSignal
  /** Whether a file is watched, by its name; default source files without tests. */
  isWatchedFile?: (file: string) => boolean
  /** Duration of a burst, in milliseconds; default 80. One save of an editor causes several events. */
  quietMs?: number
  /** Default the machine's clock. */
  clock?: Clock
  /** Default that of Node. */
  watchFolder?: (folder: string, onChange: (type: string, name: string | null) => void) => FSWatcher
}

/** Whether a file, by its name, is a source file and no test. */
export const isSource = (file: string) =>
  /\.[cm]?[jt]sx?$|\.json$/.test(file) && !/\.test\.[cm]?[jt]s$/.test(file)
const isWatched = (folder: string) => !folder.startsWith('.') && !['node_modules', 'dist'].includes(folder)

/**
 * Reports changes in source files. It watches each folder by itself, because a recursive watch of a plugin's
 * `node_modules` needs thousands of watches. Resolves when the existing folders are watched.
 */
export async function watchSources({ roots, ...options }: WatchSourcesOptions): Promise<void> {
  const watching = new SourceWatch(options)
  await Promise.all(roots.map((root) => watching.add(root)))
}

const limitAdvice =
  'on Linux raise fs.inotify.max_user_watches and fs.inotify.max_user_instances with sysctl, and start dev again'

class SourceWatch {
  readonly #options: Required<Omit<WatchSourcesOptions, 'roots'>>
  readonly #watchers = new Map<string, FSWatcher>()
  #waiting = false

  constructor(options: Omit<WatchSourcesOptions, 'roots'>) {
    this.#options = {
      quietMs: 80,
      clock: systemClock,
      isWatchedFile: isSource,
      watchFolder: watch,
      ...options,
    }
    options.signal.addEventListener('abort', () => this.#close(), { once: true })
  }

  /** Watches a folder and its subfolders; ignores a file and a path that no longer exists. */
  async add(folder: string): Promise<void> {
    if (this.#options.signal.aborted || this.#watchers.has(folder)) return
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
    if (!entries || this.#options.signal.aborted || this.#watchers.has(folder)) return
    const watcher = this.#watch(folder)
    if (!watcher) return
    // The watcher of a deleted folder fails.
    watcher.on('error', () => this.#remove(folder))
    this.#watchers.set(folder, watcher)
    const folders = entries.filter((entry) => entry.isDirectory() && isWatched(entry.name))
    await Promise.all(folders.map(({ name }) => this.add(join(folder, name))))
  }

  /** Undefined for a deleted folder, and for one that the system does not watch, which is reported. */
  #watch(folder: string): FSWatcher | undefined {
    const { watchFolder, onUnwatched } = this.#options
    try {
      return watchFolder(folder, (_type, name) => this.#changed(folder, name))
    } catch (error) {
      const { code, message }: NodeJS.ErrnoException = Object(error)
      if (code !== 'ENOENT') onUnwatched(`changes in ${folder} are not noticed (${message}); ${limitAdvice}`)
      return undefined
    }
  }

  #changed(folder: string, name: string | null): void {
    if (name === null) return
    const path = join(folder, name)
    if (this.#options.isWatchedFile(name)) this.#reportOnce(path)
    else if (isWatched(name)) void this.add(path)
  }

  #reportOnce(file: string): void {
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
