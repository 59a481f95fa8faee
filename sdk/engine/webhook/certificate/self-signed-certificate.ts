/**
 * A certificate that the operator makes itself. Every replica serves the certificate of the Secret; the leader keeps
 * that Secret. To renew, the leader first publishes the new authority next to the old one, waits until API servers know
 * both, and then stores the new certificate. The old authority is published until it expires, together with the last
 * certificate that it issued, so that clients trust a late replica all that time. The key of an authority is never
 * stored. If another program deletes or changes the Secret each time, it is stored more and more rarely.
 */

import {
  issueCertificate,
  isUsable,
  renewalTime,
  type ServerNames,
  type ServingCertificate,
  withoutExpired,
} from '../../certificate/serving-certificate.js'
import type { Cluster } from '../../cluster/cluster.js'
import { ContestedFields, wholeObject } from '../../controller/contested-fields.js'
import { type Secret, secrets } from '../../kube/builtin.js'
import type { KeyPair } from '../../kube/certificate/certificate-authority.js'
import { isNotFound } from '../../kube/error.js'
import { formatKey, type Key } from '../../kube/key.js'
import { errorFacts } from '../../observe/error-facts.js'
import type { Logger } from '../../observe/logger.js'
import { type Clock, sleep } from '../../time/clock.js'
import { certificateOf, certificateSecret } from './certificate-secret.js'

/** Options of {@link SelfSignedCertificate}. */
export interface SelfSignedCertificateOptions {
  cluster: Pick<Cluster, 'client' | 'watch$'>
  secret: Key
  names: ServerNames
  fieldManager: string
  use: (pair: KeyPair) => void
  /** Makes API servers trust the authorities. Returns whether everything could be written. */
  publish: (authorities: readonly string[]) => Promise<boolean>
  lifeMs?: number | undefined
  settleMs?: number | undefined
  logger: Logger
  clock: Clock
}

const defaultLifeMs = 90 * 86_400_000
const checkMs = 60_000
const retryMs = 1000

/** The certificate of the webhooks, in a Secret that the leader keeps. */
export class SelfSignedCertificate {
  readonly #options: SelfSignedCertificateOptions
  readonly #contested: ContestedFields
  #served: ServingCertificate | undefined
  /** Whether the Secret was usable after the last step. */
  #isStored = false
  #wake = () => {}

  constructor(options: SelfSignedCertificateOptions) {
    this.#options = options
    this.#contested = new ContestedFields(options.clock)
  }

  /**
   * Serves the certificate of the Secret, and each later certificate, until the signal aborts. Every replica calls
   * this.
   */
  follow(signal: AbortSignal): void {
    const { cluster, secret } = this.#options
    const { namespace, name } = secret
    const watched = cluster.watch$({ resource: secrets, namespace, fieldSelector: `metadata.name=${name}` })
    const subscription = watched.subscribe((event) => {
      if (event.type === 'applied' || event.type === 'listed') this.#serve(this.#usable(event.object))
      if (event.type !== 'bookmark') this.#wake()
    })
    signal.addEventListener('abort', () => subscription.unsubscribe(), { once: true })
  }

  /** Keeps the Secret and the published authorities up to date, until the signal aborts. Only the leader calls this. */
  async keep(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const waitMs = await this.#step(signal).catch((error: unknown) => {
        if (!signal.aborted)
          logger.warn(
            { error: errorFacts(error) },
            'writing the certificate or the configurations of the webhooks failed; trying again',
          )
        return retryMs
      })
      const waiting = new AbortController()
      const ended = AbortSignal.any([signal, waiting.signal])
      await Promise.race([woken, sleep(clock, waitMs, ended).catch(() => {})])
      waiting.abort()
    }
  }

  /** Makes one step, and returns the time until the next step, in milliseconds. */
  async #step(signal: AbortSignal): Promise<number> {
    const now = this.#options.clock.date()
    const stored = this.#usable(await this.#read())
    const current = stored ?? this.#stillUsable() ?? this.#issue()
    const pauseMs = stored ? undefined : this.#pauseMs()
    if (stored) this.#isStored = true
    else if (pauseMs === undefined) await this.#store(current)
    this.#serve(current)
    const restMs = renewalTime(current.certificate) - now.getTime()
    if (restMs <= 0) return this.#renew(current, signal)
    const isDone = await this.#options.publish(withoutExpired(current.authorities, now))
    return isDone ? Math.min(restMs, checkMs, pauseMs ?? checkMs) : retryMs
  }

  /**
   * The time until the Secret may be stored again, in milliseconds, because another program deletes or changes it each
   * time; undefined if it may be stored now. A write that fails is tried again, and is counted once.
   */
  #pauseMs(): number | undefined {
    const id = formatKey(this.#options.secret)
    if (!this.#isStored) return undefined
    if (this.#contested.mayRepair(id, [wholeObject])) {
      this.#contested.recordRepair(id, [wholeObject])
      this.#isStored = false
      return undefined
    }
    if (this.#contested.unreported(id, [wholeObject]).length > 0) {
      const message = contestMessage(id)
      this.#contested.recordMessage(id, [wholeObject], message)
      this.#options.logger.warn({}, message)
    }
    return this.#contested.find(id)?.resumeMs
  }

  async #renew(current: ServingCertificate, signal: AbortSignal): Promise<number> {
    const { clock, publish, settleMs = 30_000 } = this.#options
    const next = this.#issue()
    const authorities = [...next.authorities, ...withoutExpired(current.authorities, clock.date())]
    if (!(await publish(authorities))) return retryMs
    await sleep(clock, settleMs, signal)
    await this.#store({ ...next, authorities })
    this.#serve({ ...next, authorities })
    this.#options.logger.info({}, 'the certificate of the webhooks is renewed')
    return 0
  }

  #issue(): ServingCertificate {
    const { clock, names, lifeMs = defaultLifeMs } = this.#options
    return issueCertificate(names, { now: clock.date(), lifeMs })
  }

  #serve(certificate: ServingCertificate | undefined): void {
    if (!certificate) return
    if (certificate.certificate !== this.#served?.certificate) this.#options.use(certificate)
    this.#served = certificate
  }

  /**
   * The served certificate, if it is still usable. It stays in use after its Secret was deleted, so that no client
   * notices.
   */
  #stillUsable(): ServingCertificate | undefined {
    const { names, clock } = this.#options
    return this.#served && isUsable(this.#served, names, clock.date()) ? this.#served : undefined
  }

  #usable(secret: Secret | undefined): ServingCertificate | undefined {
    const { names, clock } = this.#options
    const certificate = certificateOf(secret)
    return certificate && isUsable(certificate, names, clock.date()) ? certificate : undefined
  }

  async #read(): Promise<Secret | undefined> {
    const { cluster, secret } = this.#options
    return cluster.client.get(secrets, secret).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    })
  }

  async #store(certificate: ServingCertificate): Promise<void> {
    const { cluster, secret, fieldManager } = this.#options
    const body = certificateSecret(secret, certificate)
    await cluster.client.patch(secrets, secret, { type: 'apply', force: true, fieldManager, body })
    this.#isStored = true
  }
}

const contestMessage = (secret: string) =>
  `another program deletes or changes the Secret ${secret} with the certificate of the webhooks each time. Stop that program. ` +
  'Until then the Secret is stored more and more rarely, and new replicas may have no certificate.'
