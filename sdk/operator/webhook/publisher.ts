import { request } from 'node:https'
import type { Client } from '../../engine/client/client.js'
import { definitionName } from '../../engine/cluster/definition.js'
import { customResourceDefinitions } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import { stringifyJson } from '../../engine/kube/json.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf, type Resource } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'
import { type Clock, sleep } from '../../engine/time/clock.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../engine/webhook/configuration/webhook-configuration.js'
import { needsConversion } from '../kind/conversion/kind-converter.js'
import { asAdmission, isDefinedKind, type WebhookKind } from './admission.js'
import { conversionSettleMs } from './conversion-wait.js'
import {
  type WebhookConfigurationOptions,
  webhookConfigurations,
  webhookConversion,
  webhookPath,
} from './webhook-configurations.js'

/** Options of {@link Publisher}. */
export interface PublisherOptions {
  client: Client
  configuration: Omit<WebhookConfigurationOptions, 'authorities'>
  fieldManager: string
  /** Called when every definition that exists has its conversion. */
  onConverted: () => void
  /** Whether this replica can answer reviews. */
  isReady: () => boolean
  logger: Logger
  clock: Clock
}

/**
 * How long to wait until the Service reaches a replica, in milliseconds. Conversions are configured afterwards in any
 * case, because a network policy may forbid this check.
 */
const patienceMs = 60_000
const tryMs = 2000
/** How long an API server may take until it has seen a new configuration and calls its webhooks, in milliseconds. */
const configurationSettleMs = 1000

/**
 * Writes the webhook configurations, then the conversion of the definitions. The leader is ready only once the
 * configurations exist, so these do not wait until the Service reaches a replica. Conversions do: while no replica is
 * reached, no client could read the objects. An API server that cannot reach a webhook only refuses writes.
 */
export class Publisher {
  readonly #options: PublisherOptions
  /** The state of each object after the last apply. */
  readonly #applied = new Map<string, string>()
  readonly #since: number
  #isReachable = false
  #isConfigured = false
  #isConverted = false

  constructor(options: PublisherOptions) {
    this.#options = options
    this.#since = options.clock.now()
  }

  /** Whether all configurations exist, those of an earlier release included. */
  get isConfigured(): boolean {
    return this.#isConfigured
  }

  /** Writes what is missing. Returns whether everything is written; the next call writes the rest. */
  async publish(authorities: readonly string[]): Promise<boolean> {
    const { configuration, isReady } = this.#options
    if (!isReady()) return false
    const options = { ...configuration, authorities }
    let isConverted = false
    try {
      await this.#configure(options)
    } finally {
      // Objects are converted, and certificates renewed, also if the configurations may not be written.
      isConverted = await this.#convert(options, authorities)
    }
    return isConverted
  }

  async #configure(options: WebhookConfigurationOptions): Promise<void> {
    const objects = webhookConfigurations(options)
    this.#isConfigured ||= await this.#allExist(objects)
    for (const object of objects) await this.#apply(resourceOf(object), object, { create: true })
    if (!this.#isConfigured) await sleep(this.#options.clock, configurationSettleMs)
    this.#isConfigured = true
  }

  async #convert(options: WebhookConfigurationOptions, authorities: readonly string[]): Promise<boolean> {
    const kinds = this.#convertedKinds
    if (kinds.length === 0) return true
    if (!(await this.#reaches(authorities))) return false
    const converted = await Promise.all(kinds.map((kind) => this.#applyConversion(kind, options)))
    if (!this.#isConverted) await sleep(this.#options.clock, conversionSettleMs)
    this.#isConverted = true
    this.#options.onConverted()
    return converted.every(Boolean)
  }

  /** Whether every definition that exists has a conversion by webhook. */
  async hasConversions(): Promise<boolean> {
    const { client } = this.#options
    const strategies = await Promise.all(
      this.#convertedKinds.map(async (kind) => {
        const live = await client
          .get(customResourceDefinitions, { namespace: '', name: definitionName(kind) })
          .catch(undefinedIfNotFound)
        return live?.spec.conversion?.strategy ?? 'Webhook'
      }),
    )
    return strategies.every((strategy) => strategy === 'Webhook')
  }

  get #convertedKinds(): WebhookKind[] {
    return this.#options.configuration.kinds
      .map((kind) => asAdmission(kind).resource)
      .filter((kind): kind is WebhookKind => isDefinedKind(kind) && needsConversion(kind))
  }

  async #applyConversion(kind: WebhookKind, options: WebhookConfigurationOptions): Promise<boolean> {
    const spec = { conversion: webhookConversion(kind, options) }
    const name = definitionName(kind)
    return this.#apply(customResourceDefinitions, { metadata: { name }, spec } as KubeObject, {
      create: false,
    })
  }

  async #allExist(objects: readonly KubeObject[]): Promise<boolean> {
    const { client } = this.#options
    const live = await Promise.all(
      objects.map((object) => client.get(resourceOf(object), keyOf(object)).catch(undefinedIfNotFound)),
    )
    return live.every((object) => object !== undefined)
  }

  /** Returns whether the object has the fields. Nothing is sent if nothing changed since the last apply. */
  async #apply<T extends KubeObject>(
    resource: Resource<T>,
    object: KubeObject,
    { create }: { create: boolean },
  ): Promise<boolean> {
    const { client, fieldManager } = this.#options
    const key = keyOf(object)
    const body = { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }
    const live = await client.get(resource, key).catch(undefinedIfNotFound)
    if (!live && !create) return false
    const id = `${resource.plural}/${key.name}`
    if (live && this.#applied.get(id) === stateOf(live, body)) return true
    const echo = await client.patch(resource, key, { type: 'apply', force: true, fieldManager, body })
    this.#applied.set(id, stateOf(echo, body))
    return true
  }

  async #reaches(authorities: readonly string[]): Promise<boolean> {
    if (this.#isReachable) return true
    const { clock, logger, configuration } = this.#options
    const { endpoint } = configuration
    const url = 'url' in endpoint ? endpoint.url : serviceUrl(endpoint.service)
    this.#isReachable = await answers(url, authorities)
    if (this.#isReachable || clock.now() - this.#since < patienceMs) return this.#isReachable
    logger.warn(
      { url },
      'the webhooks do not answer at this URL; configuring them anyway: check their Service and network policies',
    )
    this.#isReachable = true
    return true
  }
}

const resourceOf = ({ kind }: KubeObject) =>
  kind === mutatingWebhookConfigurations.kind
    ? mutatingWebhookConfigurations
    : validatingWebhookConfigurations

function undefinedIfNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

function stateOf({ metadata }: KubeObject, intent: object): string {
  return `${metadata.uid} ${metadata.generation} ${stringifyJson(intent)}`
}

const serviceUrl = ({ namespace, name, port = 443 }: { namespace: string; name: string; port?: number }) =>
  `https://${name}.${namespace}.svc:${port}`

/** Whether a server with a certificate of the authorities answers, with any status. */
function answers(url: string, authorities: readonly string[]): Promise<boolean> {
  const path = webhookPath('default', { group: '', plural: 'reachable' })
  return new Promise((resolve) => {
    const call = request(
      new URL(path, url),
      { ca: [...authorities], agent: false, timeout: tryMs },
      (response) => {
        response.resume()
        response.once('end', () => resolve(true))
      },
    )
    call.once('timeout', () => call.destroy())
    call.once('error', () => resolve(false))
    call.once('close', () => resolve(false))
    call.end()
  })
}
