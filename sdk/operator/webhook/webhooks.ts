/**
 * The webhooks of an operator: their server, on every replica from the start, and their certificate. Conversions need
 * neither caches nor leadership, because the caches may need conversions.
 */

import { followCertificateFiles } from '../../engine/certificate/certificate-files.js'
import type { ClusterRuntime } from '../../engine/cluster/cluster-runtime.js'
import { type HealthCheck, runChecks } from '../../engine/health/health.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { Unit } from '../../engine/manager/unit.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import { SelfSignedCertificate } from '../../engine/webhook/certificate/self-signed-certificate.js'
import type { WebhookEndpoint } from '../../engine/webhook/configuration/client-config.js'
import { WebhookServer } from '../../engine/webhook/server/webhook-server.js'
import { needsConversion } from '../kind/conversion/kind-converter.js'
import { type Admission, asAdmission, isDefinedKind } from './admission.js'
import { AdmissionCaches } from './admission-caches.js'
import { ConversionWait } from './conversion-wait.js'
import { Publisher } from './publisher.js'
import { KnownConversions, reviewHandlers } from './review-handlers.js'
import { serverNamesOf } from './server-names.js'
import { defaultFolder, defaultPort } from './webhook-defaults.js'
import type { InternalWebhookOptions } from './webhook-options.js'

/** The program that webhooks belong to. */
export interface WebhookProgram {
  readonly name: string
  readonly logger: Logger
  readonly clock: Clock
}

/** The parts of the program that webhooks need, known once its clusters are open. */
export interface WebhookSurroundings {
  /** The cluster that calls the webhooks. */
  readonly cluster: ClusterRuntime
  /** The namespace of the operator. */
  readonly namespace: string
  /** Aborts when the program ends. */
  readonly signal: AbortSignal
  /** The checks of `/readyz` of the program without its webhooks. */
  readonly ready: () => readonly HealthCheck[]
}

/** The checks of a program that wait for its caches. */
const cacheChecks: ReadonlySet<string> = new Set(['started', 'standby'])

/** The webhooks of one replica of an operator. */
export class Webhooks {
  readonly #options: InternalWebhookOptions
  readonly #program: WebhookProgram
  readonly #kinds: readonly Admission[]
  readonly #server: WebhookServer
  readonly #caches: AdmissionCaches
  #cluster: ClusterRuntime | undefined
  #signal: AbortSignal = new AbortController().signal
  #lead = async (): Promise<void> => {}
  #hasConversions = async (): Promise<boolean> => true
  #publisher: Publisher | undefined
  readonly #conversions = new KnownConversions()

  /** Throws `PluginError` `INVALID_WEBHOOK` for a kind that cannot have webhooks. */
  constructor(options: InternalWebhookOptions, program: WebhookProgram) {
    const { port = defaultPort, host, drainMs, kinds } = options
    this.#options = options
    this.#program = program
    this.#kinds = kinds.map(asAdmission)
    this.#caches = new AdmissionCaches(program)
    const handlers = reviewHandlers(this.#kinds, {
      logger: program.logger,
      clock: program.clock,
      caches: this.#caches,
      conversions: this.#conversions,
    })
    const cure = 'set webhooks.port to another one, or WEBHOOK_ADDRESS if the environment has it'
    this.#server = new WebhookServer({ ...program, host, port, cure, drainMs, handlers })
  }

  /** Opens the port. */
  async listen(): Promise<void> {
    await this.#server.listen()
    this.#program.logger.info({ port: this.#server.port }, 'the webhooks listen')
  }

  /** The port that is open. */
  get port(): number {
    return this.#server.port
  }

  /** Begins to serve a certificate; conversions work from then on. */
  attach(surroundings: WebhookSurroundings): void {
    const { certificate = { folder: defaultFolder } } = this.#options
    const { logger, clock } = this.#program
    const { cluster, signal } = surroundings
    this.#cluster = cluster
    this.#signal = signal
    this.#caches.attach(cluster)
    const use = this.#server.use.bind(this.#server)
    if (certificate === 'selfSigned') this.#followSecret(surroundings)
    else void followCertificateFiles({ folder: certificate.folder, use, logger, clock, signal })
  }

  /** The webhooks as a unit of the manager: their caches, and the work of the leader. */
  get unit(): Unit {
    return {
      name: 'webhooks',
      requestStores: () => {
        for (const resource of this.#options.reads ?? []) this.#cluster?.store(resource)
      },
      init: () => this.#lead(),
    }
  }

  /** Whether caches may be filled now, because the API server converts objects by the webhook. */
  async isListable(): Promise<boolean> {
    const isListable = await this.#hasConversions()
    if (isListable) this.#expectCaches()
    return isListable
  }

  /** Resolves when caches may be filled; rejects with the reason of the signal. */
  async whenListable(signal: AbortSignal): Promise<void> {
    const hasConversions = () => this.#hasConversions()
    await new ConversionWait({ ...this.#program, hasConversions }).whenConverted(signal)
    this.#expectCaches()
  }

  /**
   * The checks of `/readyz`. If kinds need conversions, their caches are left out, because they may wait for the
   * conversions of this replica. Reviews that need them wait a moment.
   */
  readyChecks(ofProgram: readonly HealthCheck[]): HealthCheck[] {
    const healthCheck: HealthCheck = { name: 'webhooks', wrong: () => this.#server.problem }
    const first = [healthCheck, this.#configuredCheck(ofProgram)]
    return [...first, ...(this.#converts ? [this.#caches.check] : []), ...this.#withoutConverted(ofProgram)]
  }

  /**
   * The leader is not ready before its configurations exist, so that what is created after a rollout is validated. A
   * standby is ready without them: the leader may be of a release that has other webhooks or none, and ends only once
   * this replica is ready.
   */
  #configuredCheck(ofProgram: readonly HealthCheck[]): HealthCheck {
    const isStandby = ofProgram.some(({ name }) => name === 'standby')
    const isLate = this.#options.certificate === 'selfSigned' && !isStandby && !this.#publisher?.isConfigured
    return {
      name: 'webhook-configurations',
      wrong: () => (isLate ? 'the configurations of the webhooks are not written yet' : undefined),
    }
  }

  #withoutConverted(ofProgram: readonly HealthCheck[]): readonly HealthCheck[] {
    return this.#converts ? ofProgram.filter(({ name }) => !cacheChecks.has(name)) : ofProgram
  }

  #expectCaches(): void {
    this.#conversions.noteConversions()
    const converted = new Set(
      this.#kinds.flatMap(({ resource }) => (needsConversionOf(resource) ? [formatResource(resource)] : [])),
    )
    this.#caches.expect((resource) => !converted.has(formatResource(resource)), this.#signal)
  }

  /** Makes the program not ready; requests are still answered. */
  drain(): void {
    this.#server.drain()
  }

  /** Closes the port, after the time that the API server needs to notice. */
  async close(): Promise<void> {
    await this.#server.close()
  }

  get #converts(): boolean {
    return this.#kinds.some(({ resource }) => needsConversionOf(resource))
  }

  #followSecret(surroundings: WebhookSurroundings): void {
    const { signal } = surroundings
    let onConverted = () => {}
    const converted = new Promise<void>((resolve) => {
      onConverted = resolve
    })
    const publisher = this.#publisherIn(surroundings, () => onConverted())
    this.#publisher = publisher
    const certificate = this.#certificateIn(surroundings, publisher)
    certificate.follow(signal)
    this.#hasConversions = () => publisher.hasConversions()
    this.#lead = async () => {
      void certificate.keep(signal)
      if (!this.#converts) return
      await converted
      this.#expectCaches()
    }
  }

  #publisherIn({ cluster, namespace, ready }: WebhookSurroundings, onConverted: () => void): Publisher {
    const { serviceAccount, kinds } = this.#options
    return new Publisher({
      ...this.#writing,
      client: cluster.client,
      configuration: {
        name: this.#program.name,
        namespace,
        kinds,
        endpoint: this.#endpoint(namespace),
        ...(serviceAccount !== undefined && { serviceAccount }),
      },
      onConverted,
      isReady: () => this.#server.problem === undefined && runChecks(this.#withoutConverted(ready())).ok,
    })
  }

  #certificateIn({ cluster, namespace }: WebhookSurroundings, publisher: Publisher): SelfSignedCertificate {
    const { secret = `${this.#program.name}-webhook-certificate`, lifeMs, settleMs } = this.#options
    return new SelfSignedCertificate({
      ...this.#writing,
      cluster,
      secret: { namespace, name: secret },
      names: serverNamesOf(this.#endpoint(namespace)),
      use: (pair) => this.#server.use(pair),
      publish: (authorities) => publisher.publish(authorities),
      lifeMs,
      settleMs,
    })
  }

  /** Options of everything that writes objects. */
  get #writing() {
    const { name, logger, clock } = this.#program
    return { fieldManager: `${name}.webhooks`, logger, clock }
  }

  #endpoint(namespace: string): WebhookEndpoint {
    const { url, service = `${this.#program.name}-webhook` } = this.#options
    return url === undefined ? { service: { namespace, name: service } } : { url }
  }
}

function needsConversionOf(resource: Resource): boolean {
  return isDefinedKind(resource) && needsConversion(resource)
}
