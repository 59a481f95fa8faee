import isEqual from 'lodash/isEqual.js'
import { readTextFile, whyUnreadable } from '../kube/read-text-file.js'
import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import { authorizationFrom } from './auth-provider.js'
import { type ExecCredential, runExecPlugin } from './exec-plugin.js'
import type { Impersonation, Kubeconfig } from './kubeconfig.js'

/** What a connection needs to prove who is at either end, as PEM. */
export interface TlsIdentity {
  ca?: string
  cert?: string
  key?: string
}

/** Credentials at one moment. The same `tls` object means the same connections may go on. */
export interface Credential {
  headers: Record<string, string | string[]>
  tls: TlsIdentity
}

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

// While something cannot be read again, the old credentials go on; this is how soon it is tried anew.
const retryMs = 10_000
// How soon after one refusal another one has files read again, and exec plugins run again. Either comes to new
// credentials well before a Lease runs out that could not be renewed with the old ones.
const refusedFilesMs = 1_000
const refusedExecMs = 5_000
const tellAgainMs = 60_000
// An exec plugin's answer is replaced this long before it expires, and never sooner than after 5 s.
const expirySkewMs = 60_000
const shortestLifeMs = 5_000
// Bundles of certificate authorities of whole systems have a fifth of it.
const maxCredentialBytes = 2 ** 20
// How long reading credentials may take before it is worth a warning.
const slowMs = 10_000

/**
 * Keeps one user's credentials fresh: files are read again once a minute, exec plugins run again before
 * their answer expires, whatever a refusal puts in doubt is fetched anew. However many calls wait, each source
 * is asked once. That they are refused or have changed is logged, what they are never is.
 */
export class Credentials {
  readonly #kubeconfig: Kubeconfig
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #refreshMs: number
  #credential: Credential | undefined
  #freshUntil = Number.NEGATIVE_INFINITY
  #reading: Promise<Credential> | undefined
  #exec: { answer: ExecCredential; freshUntil: number } | undefined
  #filesDoubtedAt = Number.NEGATIVE_INFINITY
  #execDoubtedAt = Number.NEGATIVE_INFINITY
  #toldAt = Number.NEGATIVE_INFINITY
  readonly #signal: AbortSignal
  #problem: string | undefined

  constructor({ kubeconfig, clock, logger, refreshMs = 60_000, signal }: CredentialsOptions) {
    this.#kubeconfig = kubeconfig
    this.#clock = clock
    this.#logger = logger
    this.#refreshMs = refreshMs
    this.#signal = signal ?? new AbortController().signal
  }

  /** Why calls have no credentials, in words; `undefined` while they have, or as far as nobody has asked yet. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** The credentials for a call that starts now; a promise only where something has to be read first. */
  current(): Credential | Promise<Credential> {
    if (this.#credential && this.#clock.now() < this.#freshUntil) return this.#credential
    return this.#readOnce()
  }

  /**
   * After a 401, or a certificate that one end does not accept: other credentials than those used, or undefined where
   * there are none. A server that refuses everybody makes files be read once a second at most, and an exec plugin run
   * every 5 s at most.
   */
  async renewed(used: Credential): Promise<Credential | undefined> {
    if (this.#credential === used) this.#doubt(this.#clock.now())
    // While they are read, `current` still answers with the old ones.
    const credential = await (this.#reading ?? this.current())
    if (credential !== used) return credential
    this.#tellRefused(this.#clock.now())
    return undefined
  }

  #doubt(nowMs: number): void {
    const runsAgain = nowMs >= this.#execDoubtedAt + refusedExecMs
    if (!runsAgain && nowMs < this.#filesDoubtedAt + refusedFilesMs) return
    this.#freshUntil = Number.NEGATIVE_INFINITY
    this.#filesDoubtedAt = nowMs
    if (!runsAgain) return
    this.#execDoubtedAt = nowMs
    this.#exec = undefined
  }

  #tellRefused(nowMs: number): void {
    if (nowMs < this.#toldAt + tellAgainMs) return
    this.#toldAt = nowMs
    const { server, source } = this.#kubeconfig
    this.#logger.warn(
      { server, source },
      'our credentials are refused, and there are no others yet: they are looked up again with the next calls',
    )
  }

  #readOnce(): Promise<Credential> {
    this.#reading ??= this.#readWatched().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Calls wait for this, so that it takes long is told while it does. */
  async #readWatched(): Promise<Credential> {
    let isSlow = false
    const cancel = this.#clock.schedule(slowMs, () => {
      isSlow = true
      this.#tellSlow()
    })
    try {
      const credential = await this.#readOrKeep()
      this.#problem = undefined
      return credential
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error)
      // The calls that wait may be over by now, and tell nobody why.
      if (isSlow) this.#logger.warn({ error: this.#problem }, 'there are no credentials')
      throw error
    } finally {
      cancel()
    }
  }

  #tellSlow(): void {
    const { server, source, user } = this.#kubeconfig
    const what = user.exec ? `the exec plugin ${user.exec.command}` : 'the credential files'
    this.#problem = `${what} of ${source} has given no answer for ${slowMs / 1000} s; all calls to ${server} wait for it`
    this.#logger.warn({ server, source }, this.#problem)
  }

  async #readOrKeep(): Promise<Credential> {
    try {
      const old = this.#credential
      this.#credential = keepUnchanged(old, await this.#read())
      if (old && old !== this.#credential) this.#tellChanged()
    } catch (error) {
      if (!this.#credential) throw error
      this.#freshUntil = this.#clock.now() + retryMs
      this.#logger.warn({ error: String(error) }, 'credentials could not be renewed; the old ones go on')
    }
    return this.#credential
  }

  #tellChanged(): void {
    this.#toldAt = Number.NEGATIVE_INFINITY
    const { server, source } = this.#kubeconfig
    this.#logger.info({ server, source }, 'the credentials changed: calls go on with the new ones')
  }

  async #read(): Promise<Credential> {
    const { user, caFile, caData } = this.#kubeconfig
    this.#freshUntil = this.#clock.now() + this.#refreshMs
    const exec = user.exec ? await this.#execAnswer() : undefined
    const tls = {
      ca: await pem(caFile, caData),
      cert: exec?.cert ?? (await pem(user.certFile, user.certData)),
      key: exec?.key ?? (await pem(user.keyFile, user.keyData)),
    }
    const authorization = await this.#authorization(exec)
    const headers = { ...(authorization && { authorization }), ...impersonationHeaders(user.impersonate) }
    return { headers, tls: withoutUndefined(tls) }
  }

  async #authorization(exec: ExecCredential | undefined): Promise<string | undefined> {
    const { user } = this.#kubeconfig
    const token = (await this.#fileToken()) ?? user.token ?? exec?.token
    if (token) return `Bearer ${token.trim()}`
    if (user.username) {
      return `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`
    }
    if (!user.authProvider) return undefined
    this.#freshUntil = this.#clock.now() + Math.min(this.#refreshMs, retryMs)
    return authorizationFrom(user.authProvider, this.#kubeconfig.source)
  }

  async #fileToken(): Promise<string | undefined> {
    const { tokenFile, token } = this.#kubeconfig.user
    if (!tokenFile) return undefined
    try {
      return await readCredentialFile(tokenFile)
    } catch (error) {
      // A kubeconfig handed over by another container may name a file that exists only there.
      if (token === undefined) throw error
      return undefined
    }
  }

  async #execAnswer(): Promise<ExecCredential> {
    if (!this.#exec || this.#clock.now() >= this.#exec.freshUntil) {
      const answer = await runExecPlugin(this.#kubeconfig, { clock: this.#clock, signal: this.#signal })
      this.#exec = { answer, freshUntil: this.#clock.now() + this.#lifeMs(answer) }
    }
    this.#freshUntil = Math.min(this.#freshUntil, this.#exec.freshUntil)
    return this.#exec.answer
  }

  #lifeMs({ expiresAt }: ExecCredential): number {
    if (!expiresAt) return Number.POSITIVE_INFINITY
    return Math.max(expiresAt.getTime() - this.#clock.date().getTime() - expirySkewMs, shortestLifeMs)
  }
}

function keepUnchanged(old: Credential | undefined, read: Credential): Credential {
  if (!old) return read
  const sameTls = isEqual(old.tls, read.tls)
  if (sameTls && isEqual(old.headers, read.headers)) return old
  return sameTls ? { ...read, tls: old.tls } : read
}

async function pem(file: string | undefined, data: string | undefined): Promise<string | undefined> {
  if (file) return readCredentialFile(file)
  return data ? Buffer.from(data, 'base64').toString('utf8') : undefined
}

async function readCredentialFile(file: string): Promise<string> {
  try {
    return await readTextFile(file, { maxBytes: maxCredentialBytes })
  } catch (error) {
    throw new Error(
      `The credential file ${file} cannot be read (${whyUnreadable(error)}); check the kubeconfig's path.`,
      {
        cause: error,
      },
    )
  }
}

function withoutUndefined({ ca, cert, key }: Record<keyof TlsIdentity, string | undefined>): TlsIdentity {
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
}

/** How a request says whom to act as: repeated headers for groups and for extra values. */
export function impersonationHeaders(as: Impersonation | undefined): Record<string, string | string[]> {
  if (!as) return {}
  const extra = Object.entries(as.extra).map(([key, values]): [string, string[]] => [
    `impersonate-extra-${encodeURIComponent(key).toLowerCase()}`,
    values,
  ])
  return {
    'impersonate-user': as.user,
    ...(as.uid && { 'impersonate-uid': as.uid }),
    ...(as.groups.length > 0 && { 'impersonate-group': as.groups }),
    ...Object.fromEntries(extra),
  }
}
