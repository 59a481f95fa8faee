import { readTextFile, whyUnreadable } from '../kube/read-text-file.js'
import type { Clock } from '../time/clock.js'
import { authorizationFrom } from './auth-provider.js'
import { type Credential, impersonationHeaders, type TlsIdentity } from './credential.js'
import { type ExecCredential, runExecPlugin } from './exec-plugin.js'
import type { Kubeconfig } from './kubeconfig.js'

// An auth provider's file is read again after this time, in milliseconds.
const providerLifeMs = 10_000
// An exec plugin's answer is replaced this long before it expires, and never sooner than after 5 s.
const expirySkewMs = 60_000
const minLifeMs = 5_000
// The largest file that is read. Bundles of certificate authorities of whole systems have a fifth of this size.
const maxCredentialBytes = 2 ** 20

/** Options of {@link CredentialReader}. */
export interface CredentialReaderOptions {
  kubeconfig: Kubeconfig
  clock: Clock
  /** How long values read from files are used, in milliseconds. */
  refreshMs: number
  /** Ends an exec plugin that runs. */
  signal: AbortSignal
}

/** A credential, and the monotonic time until which it is fresh, in milliseconds. */
export interface ReadCredential {
  readonly credential: Credential
  readonly freshUntil: number
}

/**
 * Reads one user's credential from every source that a kubeconfig can name. It keeps an exec plugin's answer until it
 * expires.
 */
export class CredentialReader {
  readonly #options: CredentialReaderOptions
  #exec: { answer: ExecCredential; freshUntil: number } | undefined

  constructor(options: CredentialReaderOptions) {
    this.#options = options
  }

  /** Forgets the answer of the exec plugin, so that the next read runs it again. */
  forgetExec(): void {
    this.#exec = undefined
  }

  async read(): Promise<ReadCredential> {
    const { kubeconfig, clock, refreshMs } = this.#options
    const { user, caFile, caData } = kubeconfig
    const readAtMs = clock.now()
    const ca = await pem(caFile, caData)
    const exec = user.exec ? await this.#execAnswer(ca) : undefined
    const tls = {
      ca,
      cert: exec?.cert ?? (await pem(user.certFile, user.certData)),
      key: exec?.key ?? (await pem(user.keyFile, user.keyData)),
    }
    const { authorization, lifeMs = refreshMs } = await this.#authorization(exec)
    const headers = { ...(authorization && { authorization }), ...impersonationHeaders(user.impersonate) }
    const execUntil = exec && this.#exec ? this.#exec.freshUntil : Number.POSITIVE_INFINITY
    const freshUntil = Math.min(readAtMs + Math.min(refreshMs, lifeMs), execUntil)
    return { credential: { headers, tls: withoutUndefined(tls) }, freshUntil }
  }

  async #authorization(
    exec: ExecCredential | undefined,
  ): Promise<{ authorization?: string | undefined; lifeMs?: number }> {
    const { user, source } = this.#options.kubeconfig
    const token = (await this.#fileToken()) ?? user.token ?? exec?.token
    if (token) return { authorization: `Bearer ${token.trim()}` }
    if (user.username) {
      const basic = Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')
      return { authorization: `Basic ${basic}` }
    }
    if (!user.authProvider) return {}
    return { authorization: await authorizationFrom(user.authProvider, source), lifeMs: providerLifeMs }
  }

  async #fileToken(): Promise<string | undefined> {
    const { tokenFile, token } = this.#options.kubeconfig.user
    if (!tokenFile) return undefined
    try {
      return await readCredentialFile(tokenFile)
    } catch (error) {
      // A kubeconfig from another container may name a file that exists only there.
      if (token === undefined) throw error
      return undefined
    }
  }

  async #execAnswer(ca: string | undefined): Promise<ExecCredential> {
    const { kubeconfig, clock, signal } = this.#options
    if (!this.#exec || clock.now() >= this.#exec.freshUntil) {
      const answer = await runExecPlugin(kubeconfig, { ca, clock, signal })
      this.#exec = { answer, freshUntil: clock.now() + this.#lifeMs(answer) }
    }
    return this.#exec.answer
  }

  #lifeMs({ expiresAt }: ExecCredential): number {
    if (!expiresAt) return Number.POSITIVE_INFINITY
    return Math.max(expiresAt.getTime() - this.#options.clock.date().getTime() - expirySkewMs, minLifeMs)
  }
}

/** Data has precedence over a file, as in kubectl. */
async function pem(file: string | undefined, data: string | undefined): Promise<string | undefined> {
  if (data) return Buffer.from(data, 'base64').toString('utf8')
  return file ? readCredentialFile(file) : undefined
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
