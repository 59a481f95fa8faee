/** The resource types by which Node lists a pending file operation. */
const fileRequests: ReadonlySet<string> = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq'])

/**
 * The time that a message port may stay open to count as an import of a module, in milliseconds. A port that
 * is open for longer belongs to a worker thread.
 */
const maxImportMs = 10_000

/**
 * Detects pending work that takes real time and that virtual time must wait for: file operations, and imports of
 * modules. With a loader such as tsx, Node resolves and loads a module in another thread and keeps a message port
 * active meanwhile.
 *
 * See https://nodejs.org/api/process.html#processgetactiveresourcesinfo
 */
export class RealTimeWork {
  readonly #resources: () => readonly string[]
  readonly #nowMs: () => number
  /** The number of ports that belong to worker threads. */
  #workerPorts: number
  /** The time at which more ports than these were first open. */
  #openSinceMs: number | undefined

  constructor(
    resources: () => readonly string[] = () => process.getActiveResourcesInfo(),
    nowMs: () => number = () => performance.now(),
  ) {
    this.#resources = resources
    this.#nowMs = nowMs
    this.#workerPorts = portsIn(resources())
  }

  /** Whether a file operation or an import is pending. */
  isPending(): boolean {
    const resources = this.#resources()
    return resources.some((resource) => fileRequests.has(resource)) || this.#isImporting(portsIn(resources))
  }

  #isImporting(ports: number): boolean {
    if (ports <= this.#workerPorts) {
      this.#openSinceMs = undefined
      return false
    }
    this.#openSinceMs ??= this.#nowMs()
    if (this.#nowMs() - this.#openSinceMs < maxImportMs) return true
    this.#workerPorts = ports
    this.#openSinceMs = undefined
    return false
  }
}

const portsIn = (resources: readonly string[]) =>
  resources.filter((resource) => resource === 'MessagePort').length
