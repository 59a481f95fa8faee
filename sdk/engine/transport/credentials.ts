import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import { type Credential, keepUnchanged } from './credential.js'
import type { Kubeconfig } from './kubeconfig.js'
import { CredentialReader } from './read-credential.js'

/** Options of {@link Credentials}. */
export interface CredentialsOptions {
  kubeconfig: Kubeconfig
  clock: Clock
  logger: Logger
  /** How often rotated token and certificate files are read again, in milliseconds; default 60,000. */
  refreshMs?: number
  /** Ends an exec plugin that runs; default nothing does. */
  signal?: AbortSignal
}

// The time until the next try if a source cannot be read again. Meanwhile the old credentials stay in use.
const retryMs = 10_000
// The minimum times between two refusals that cause files to be read again, or exec plugins to run again. Both are
// short enough that new credentials arrive before a Lease expires that the old ones could not renew.
const minFilesIntervalMs = 1_000
const minExecIntervalMs = 5_000
const logIntervalMs = 60_000
// How long reading credentials may take before it is worth a warning.
const slowMs = 10_000

/**
 * Keeps one user's credentials fresh: files are read again once a minute, exec plugins run again before their answer
 * expires, and credentials that a server refused are fetched again. Each source is read once, however many calls wait.
 * The log says that credentials are refused or have changed, but never contains them.
 */
export class Credentials {
  readonly #kubeconfig: Kubeconfig
  readonly #reader: CredentialReader
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #refreshMs: number
  #credential: Credential | undefined
  /** The time until which the credential is used without a read, in milliseconds of the clock. */
  #freshUntilMs = Number.NEGATIVE_INFINITY
  #reading: Promise<Credential> | undefined
  #filesExpiredMs = Number.NEGATIVE_INFINITY
  #execExpiredMs = Number.NEGATIVE_INFINITY
  #loggedAtMs = Number.NEGATIVE_INFINITY
  #problem: string | undefined

  constructor({ kubeconfig, clock, logger, refreshMs = 60_000, signal }: CredentialsOptions) {
    this.#reader = new CredentialReader({
      kubeconfig,
      clock,
      refreshMs,
      signal: signal ?? new AbortController().signal,
    })
    this.#kubeconfig = kubeconfig
    this.#clock = clock
    this.#logger = logger
    this.#refreshMs = refreshMs
  }

  /** The reason why calls have no credentials; `undefined` while they have credentials, and before the first call. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** The credentials for a call that starts now; a promise only if something has to be read first. */
  current(): Credential | Promise<Credential> {
    if (this.#credential && this.#clock.now() < this.#freshUntilMs) return this.#credential
    return this.#readOnce()
  }

  /**
   * Returns new credentials after a 401, or after one end did not accept a certificate; undefined if there are no
   * credentials other than the used ones. If a server refuses all credentials, files are read at most once a second,
   * and an exec plugin runs at most every 5 s.
   */
  async renew(used: Credential): Promise<Credential | undefined> {
    if (this.#credential === used) this.#expireNow(this.#clock.now())
    const credential = await (this.#reading ?? this.current())
    if (credential !== used) return credential
    this.#logRefused(this.#clock.now())
    return undefined
  }

  /** Makes the next call read credentials again after a refusal, unless that was done just before. */
  #expireNow(nowMs: number): void {
    const runsAgain = nowMs >= this.#execExpiredMs + minExecIntervalMs
    if (!runsAgain && nowMs < this.#filesExpiredMs + minFilesIntervalMs) return
    this.#freshUntilMs = Number.NEGATIVE_INFINITY
    this.#filesExpiredMs = nowMs
    if (!runsAgain) return
    this.#execExpiredMs = nowMs
    this.#reader.forgetExec()
  }

  #logRefused(nowMs: number): void {
    if (nowMs < this.#loggedAtMs + logIntervalMs) return
    this.#loggedAtMs = nowMs
    const { server, source } = this.#kubeconfig
    this.#logger.warn(
      { server, source },
      'the cluster refuses the credentials: renew those that the source names; the next calls read them again',
    )
  }

  /** Reads the credentials. Calls that come meanwhile share the read. */
  #readOnce(): Promise<Credential> {
    this.#reading ??= this.#readWatched().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Logs a slow read while it lasts, because calls wait for it. */
  async #readWatched(): Promise<Credential> {
    let isSlow = false
    const cancel = this.#clock.schedule(slowMs, () => {
      isSlow = true
      this.#logSlow()
    })
    try {
      const credential = await this.#readOrKeep()
      this.#problem = undefined
      return credential
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error)
      // The calls that waited may have ended already, without this reason.
      if (isSlow) this.#logger.warn({ error: this.#problem }, 'there are no credentials')
      throw error
    } finally {
      cancel()
    }
  }

  #logSlow(): void {
    const { server, source, user } = this.#kubeconfig
    const sourceText = user.exec ? `the exec plugin ${user.exec.command}` : 'the credential files'
    this.#problem = `${sourceText} of ${source} has given no answer for ${slowMs / 1000} s; all calls to ${server} wait for it`
    this.#logger.warn({ server, source }, this.#problem)
  }

  /** Reads the credentials; keeps the old ones if that fails. */
  async #readOrKeep(): Promise<Credential> {
    try {
      const old = this.#credential
      // Meanwhile `current` still returns the old credential.
      this.#freshUntilMs = this.#clock.now() + this.#refreshMs
      const { credential, freshUntil } = await this.#reader.read()
      // A refusal during the read is not forgotten.
      this.#freshUntilMs = Math.min(this.#freshUntilMs, freshUntil)
      this.#credential = keepUnchanged(old, credential)
      if (old && old !== this.#credential) this.#logChanged()
    } catch (error) {
      if (!this.#credential) throw error
      this.#freshUntilMs = this.#clock.now() + retryMs
      this.#logger.warn({ error: String(error) }, 'the credentials could not be renewed; using the old ones')
    }
    return this.#credential
  }

  #logChanged(): void {
    this.#loggedAtMs = Number.NEGATIVE_INFINITY
    const { server, source } = this.#kubeconfig
    this.#logger.info({ server, source }, 'the credentials changed: calls go on with the new ones')
  }
}
