import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { issueCertificate } from '../../sdk/engine/certificate/serving-certificate.js'
import type { Client } from '../../sdk/engine/client/client.js'
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../sdk/engine/webhook/configuration/webhook-configuration.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import { reservePort } from '../machine/reserve-port.js'
import { programNamespace } from './programs/dev-program.js'

/** How long the certificate is valid, in milliseconds. */
const lifeMs = 365 * 86_400_000

/**
 * The webhooks of an operator in `dev`. The operator gets a port on loopback and a certificate, and the embedded
 * cluster calls it there instead of at the Service or URL that it has elsewhere.
 */
export class DevWebhooks {
  /** The `host:port` that the operator listens on. */
  readonly address: string
  readonly #folder: string
  #authority = ''

  /** Chooses a free port; the files of the certificate go into a folder below this one. */
  static async prepare(folder: string): Promise<DevWebhooks> {
    const { port, release } = await reservePort(0, '')
    await release()
    return new DevWebhooks(`127.0.0.1:${port}`, join(folder, 'webhook-certificate'))
  }

  private constructor(address: string, folder: string) {
    this.address = address
    this.#folder = folder
  }

  /** The environment variables with the address and the certificate, also for the description of the operator. */
  get env(): Record<string, string> {
    return { WEBHOOK_ADDRESS: this.address, WEBHOOK_CERTIFICATE_FOLDER: this.#folder }
  }

  /** Writes the certificate for the Service of the webhooks. */
  async writeCertificate({ webhooks }: OperatorDescription): Promise<void> {
    const dnsNames = [`${webhooks?.service}.${programNamespace}.svc`]
    const issued = issueCertificate({ dnsNames, addresses: [] }, { now: new Date(), lifeMs })
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await writeFile(join(this.#folder, 'tls.crt'), issued.certificate)
    await writeFile(join(this.#folder, 'tls.key'), issued.key, { mode: 0o600 })
    this.#authority = Buffer.from(issued.authorities.join('')).toString('base64')
  }

  /** The description of an operator whose definitions contain the certificate authority of its conversion webhooks. */
  trusted(description: OperatorDescription): OperatorDescription {
    const kinds = description.kinds.map((kind) => ({
      ...kind,
      definition: this.#withAuthority(kind.definition),
    }))
    return { ...description, kinds }
  }

  /**
   * Makes the embedded cluster call the webhooks. Unchanged webhook configurations stay as they are.
   */
  async publish(client: Client, { name, webhooks }: OperatorDescription): Promise<void> {
    const configurations = webhooks?.configurations ?? []
    for (const resource of [mutatingWebhookConfigurations, validatingWebhookConfigurations]) {
      const configuration = configurations.find(({ kind }) => kind === resource.kind)
      const key = { namespace: '', name }
      if (configuration) await this.#apply(client, resource, configuration)
      else await client.delete(resource, key).catch(() => {})
    }
  }

  /** Writes a configuration with the certificate authority in each webhook. */
  async #apply(client: Client, resource: Resource, configuration: KubeObject): Promise<void> {
    const { webhooks = [] } = configuration as KubeObject & { webhooks?: { clientConfig: object }[] }
    const trusted = webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: { ...webhook.clientConfig, caBundle: this.#authority },
    }))
    const body = { ...configuration, webhooks: trusted } as KubeObject
    const key = { namespace: '', name: configuration.metadata.name ?? '' }
    await client.patch(resource, key, {
      type: 'apply',
      force: true,
      fieldManager: 'vcluster-plugin-dev',
      body,
    })
  }

  /** A definition whose conversion webhook has the certificate authority; unchanged without a webhook. */
  #withAuthority(definition: CustomResourceDefinition): CustomResourceDefinition {
    const { conversion } = definition.spec
    if (!conversion?.webhook?.clientConfig) return definition
    const clientConfig = { ...conversion.webhook.clientConfig, caBundle: this.#authority }
    const trustedConversion = { ...conversion, webhook: { ...conversion.webhook, clientConfig } }
    return { ...definition, spec: { ...definition.spec, conversion: trustedConversion } }
  }
}
