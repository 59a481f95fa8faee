import type { OwnerReference } from '../../engine/kube/object.js'
import type { ProgramSignals } from '../../engine/manager/managed-program.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Metrics } from '../../engine/observe/metrics.js'
import type { Clock } from '../../engine/time/clock.js'
import { OwnerGoneError } from '../ownership/owner-gone-error.js'
import { findOwner, followOwner } from './owner.js'
import type { Wiring } from './wire.js'

/** Options of {@link CopiesOwner}. */
export interface CopiesOwnerOptions {
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** Called when the owner is deleted, comes back or is replaced. */
  onChange: () => void
}

/** The owner of new copies: the vcluster's Service, as long as it exists. */
export class CopiesOwner {
  readonly #options: CopiesOwnerOptions
  #owner: OwnerReference | undefined
  #isGone = false

  constructor(options: CopiesOwnerOptions) {
    this.#options = options
  }

  /** Resolves when the owner is known, or when there is none, and follows it from then on until `abort`. */
  async follow({ host, session, ctx }: Wiring, { stopping, aborting }: ProgramSignals): Promise<void> {
    const { ownerService: service } = session.facts
    const { onChange, ...observed } = this.#options
    const requestedOwner = { ...observed, namespace: ctx.targetNamespace }
    this.#owner = await findOwner({ ...requestedOwner, client: host.client, service, signal: stopping })
    if (service === undefined) return
    const watched = { ...requestedOwner, transport: session.host, restores: host.restores, service }
    const following = followOwner(watched).subscribe((owner) => this.#handleChange(owner, service))
    aborting.addEventListener('abort', () => following.unsubscribe(), { once: true })
  }

  #handleChange(owner: OwnerReference | undefined, service: string): void {
    if (owner?.uid === this.#owner?.uid) return
    const { logger, onChange } = this.#options
    this.#isGone = owner === undefined
    this.#owner = owner
    if (owner) logger.info({ service }, 'new copies are owned by the Service of the vcluster')
    else logger.warn({ service }, 'the Service of the vcluster is gone: no copies are made until it is back')
    onChange()
  }

  /**
   * The owner reference of a copy that is made now; `undefined` if there never was a Service. Throws
   * `OwnerGoneError` while the Service is missing: a vcluster is deleted with its Service, and copies without
   * an owner would be left behind.
   */
  ofNewCopies(): OwnerReference | undefined {
    if (this.#isGone) throw new OwnerGoneError()
    return this.#owner
  }
}
