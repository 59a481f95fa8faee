/**
 * The example behind mutual TLS, with the Secrets, the Service and the webhooks that `vcluster-plugin manifest` prints.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import type { Client } from '../../sdk/engine/client/client.js'
import { type Secret, secrets, services } from '../../sdk/engine/kube/builtin.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  type WebhookConfiguration,
} from '../../sdk/engine/webhook/configuration/webhook-configuration.js'
import { freePorts } from '../../simulator/free-ports.js'
import { root } from '../dev-run.js'
import { type PluginProcess, startPlugin } from '../plugin-process.js'
import { operatorNamespace, withClientConfig } from './start-operator.js'

const program = 'examples/cnpg-hello-world'
const service = 'hello-world'

/** The objects of the manifest that this test can use: no Pods run. */
const resources: Readonly<Record<string, Resource>> = {
  Secret: secrets,
  Service: services,
  MutatingWebhookConfiguration: mutatingWebhookConfigurations,
  ValidatingWebhookConfiguration: validatingWebhookConfigurations,
}

/** The example as a process, which the operator and the API server reach by the names of its Service. */
export class DeployedPlugin {
  readonly #admin: Client
  readonly #folder: string
  readonly #targets: Map<string, number>
  #objects: readonly KubeObject[] = []
  #process: PluginProcess | undefined

  /** `targets` are those of the proxy in front of it. */
  constructor(admin: Client, { folder, targets }: { folder: string; targets: Map<string, number> }) {
    this.#admin = admin
    this.#folder = folder
    this.#targets = targets
  }

  /** Starts the process, and stores the objects. */
  async start(): Promise<void> {
    const [grpc = 0, webhooks = 0] = await freePorts(2)
    this.#targets.set(`${service}:9090`, grpc).set(`${service}.${operatorNamespace}.svc:443`, webhooks)
    this.#objects = await manifest(['--self-signed'])
    this.#writeFiles()
    this.#process = startPlugin(join(program, 'main.ts'), {
      SERVER_ADDRESS: `127.0.0.1:${grpc}`,
      WEBHOOK_ADDRESS: `127.0.0.1:${webhooks}`,
      SERVER_CERT: join(this.#folder, 'server', 'tls.crt'),
      SERVER_KEY: join(this.#folder, 'server', 'tls.key'),
      CLIENT_CA: join(this.#folder, 'client', 'ca.crt'),
      METRICS_ADDRESS: '0',
    })
    await this.#process.line('serves the operator')
    await this.#store()
  }

  /** Renews the certificates as the guide says. The files change after the Secrets, as kubelet does it. */
  async renew(): Promise<void> {
    const previous = join(this.#folder, 'previous.yaml')
    writeFileSync(
      previous,
      this.#objects
        .filter(({ kind }) => kind === 'Secret')
        .map((one) => `---\n${JSON.stringify(one)}\n`)
        .join(''),
    )
    this.#objects = await manifest(['--renew', previous])
    await this.#store()
    this.#writeFiles()
  }

  async stop(): Promise<number | string | undefined> {
    return this.#process?.end()
  }

  /** Everything that it has logged. */
  get lines(): readonly string[] {
    return this.#process?.lines ?? []
  }

  async #store(): Promise<void> {
    for (const object of this.#objects) {
      const resource = resources[object.kind ?? '']
      if (!resource) continue
      const body = 'webhooks' in object ? reached(object as WebhookConfiguration) : object
      await this.#admin.patch(resource, keyOf(object), { type: 'apply', fieldManager: 'kubectl', body })
    }
  }

  #writeFiles(): void {
    for (const [at, secret] of ([...this.#objects] as Secret[])
      .filter(({ kind }) => kind === 'Secret')
      .entries()) {
      const folder = join(this.#folder, at === 0 ? 'server' : 'client')
      mkdirSync(folder, { recursive: true })
      for (const [file, text] of Object.entries(secret.data ?? {})) {
        writeFileSync(join(folder, `${file}.new`), Buffer.from(text, 'base64'))
        renameSync(join(folder, `${file}.new`), join(folder, file))
      }
    }
  }
}

/** A configuration with the name of the Service in place of the Service, whose address leads nowhere here. */
const reached = (configuration: WebhookConfiguration) =>
  withClientConfig(configuration, ({ path = '' }) => ({
    url: `https://${service}.${operatorNamespace}.svc:443${path}`,
  }))

async function manifest(flags: readonly string[]): Promise<KubeObject[]> {
  const command = ['bin/vcluster-plugin.js', 'manifest', program, ...flags]
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root })
  return parseAllDocuments(stdout).map((one) => one.toJS() as KubeObject)
}
