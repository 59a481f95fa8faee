/**
 * The operator of CloudNativePG as a process of a test, from the folder that `CNPG_OPERATOR` names, with its
 * definitions and its webhooks in a real API server. `test/cnpg-operator/build` makes such a folder.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { clusters } from '../../sdk/cnpg/cluster/cluster.js'
import type { Client } from '../../sdk/engine/client/client.js'
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  namespaces,
} from '../../sdk/engine/kube/builtin.js'
import { CertificateAuthority, commonName } from '../../sdk/engine/kube/certificate/certificate-authority.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  type WebhookConfiguration,
} from '../../sdk/engine/webhook/configuration/webhook-configuration.js'
import { freePort } from '../../simulator/free-ports.js'
import { endedWithParent, killAtExit } from '../kill-at-exit.js'
import { killProcess } from '../real/kill-process.js'
import { missingAssets } from '../real/real-cluster.js'
import { until } from '../until.js'

/** The namespace of the operator. */
export const operatorNamespace = 'cnpg-system'

/** Why tests with the operator are skipped; `false` if it is there. */
export function missingOperator(): string | false {
  const { CNPG_OPERATOR } = process.env
  if (!CNPG_OPERATOR) return 'CNPG_OPERATOR is not set: export CNPG_OPERATOR=$(test/cnpg-operator/build)'
  if (!existsSync(join(CNPG_OPERATOR, 'operator'))) return `CNPG_OPERATOR has no operator: ${CNPG_OPERATOR}`
  return missingAssets()
}

/** Options of {@link startOperator}. */
export interface OperatorOptions {
  /** A client of the administrator. */
  admin: Client
  kubeconfigFile: string
  /** A folder for certificates and the log. */
  folder: string
  /** The folder with the sockets of plugins. */
  plugins: string
  /** The proxy that the operator reaches Services by. */
  proxy: string
}

/** A running operator. */
export interface RunningOperator {
  /** Everything that it has logged. */
  log(): string
  stop(): Promise<void>
}

/** Installs the operator, starts it, and resolves when the API server reaches its webhooks. */
export async function startOperator(options: OperatorOptions): Promise<RunningOperator> {
  const { admin, folder } = options
  const port = await freePort()
  const certificates = join(folder, 'webhooks')
  mkdirSync(certificates)
  await install(admin, webhookConfigurations({ port, authority: writeServing(certificates) }))
  const log = join(folder, 'operator.log')
  const child = spawnOperator(options, { port, certificates, log })
  const text = () => readFileSync(log, 'utf8')
  await until(() => child.exitCode !== null || isAdmitted(admin))
  if (child.exitCode !== null) throw new Error(`the operator exited with status ${child.exitCode}: ${text()}`)
  return { log: text, stop: () => killProcess(child) }
}

function spawnOperator(
  { kubeconfigFile, plugins, proxy }: OperatorOptions,
  { port, certificates, log }: { port: number; certificates: string; log: string },
): ChildProcess {
  const cwd = process.env.CNPG_OPERATOR ?? ''
  const [program = ''] = readdirSync(join(cwd, 'operator'))
  const flags = ['controller', `--webhook-port=${port}`, '--metrics-bind-address=0', '--log-level=debug']
  const env = {
    KUBECONFIG: kubeconfigFile,
    OPERATOR_NAMESPACE: operatorNamespace,
    PLUGIN_SOCKET_DIR: plugins,
    WEBHOOK_CERT_DIR: certificates,
    HTTPS_PROXY: proxy,
  }
  const file = openSync(log, 'w')
  const child = spawn(...endedWithParent(join(cwd, 'operator', program), flags), {
    cwd,
    env,
    stdio: ['ignore', file, file],
  })
  killAtExit(child)
  return child
}

async function install(admin: Client, configurations: readonly WebhookConfiguration[]): Promise<void> {
  const folder = join(process.env.CNPG_OPERATOR ?? '', 'definitions')
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  for (const file of files)
    await admin.create(customResourceDefinitions, parse(file) as CustomResourceDefinition)
  await until(async () => (await admin.list(customResourceDefinitions)).items.every(isEstablished))
  await admin.create(namespaces, { metadata: { name: operatorNamespace } })
  for (const one of configurations) {
    const isMutating = one.kind === 'MutatingWebhookConfiguration'
    await admin.create(isMutating ? mutatingWebhookConfigurations : validatingWebhookConfigurations, one)
  }
}

const isEstablished = ({ status }: CustomResourceDefinition) =>
  status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') === true

/** Writes the certificate of the webhooks as the operator wants it, and returns its authority. */
function writeServing(folder: string): string {
  const now = Date.now()
  const validity = { notBefore: new Date(now - 60_000), notAfter: new Date(now + 3_600_000) }
  const authority = new CertificateAuthority('operator webhooks', validity)
  const subject = [[commonName, 'localhost']] as const
  const { certificate, key } = authority.issue({ subject, usage: 'server', dnsNames: ['localhost'] })
  writeFileSync(join(folder, 'apiserver.crt'), certificate)
  writeFileSync(join(folder, 'apiserver.key'), key)
  return authority.certificate
}

/** The configurations of the operator, with its address on loopback in place of a Service. */
function webhookConfigurations({
  port,
  authority,
}: {
  port: number
  authority: string
}): WebhookConfiguration[] {
  const text = readFileSync(join(process.env.CNPG_OPERATOR ?? '', 'webhooks.yaml'), 'utf8')
  const found = parseAllDocuments(text).map((one) => one.toJS() as WebhookConfiguration)
  const caBundle = Buffer.from(authority).toString('base64')
  const atPort = (path: string) => ({ url: `https://localhost:${port}${path}`, caBundle })
  return found.map((one) => withClientConfig(one, ({ path = '' }) => atPort(path)))
}

/** A configuration whose webhooks are reached without a Service. */
export function withClientConfig(
  configuration: WebhookConfiguration,
  replace: (service: { path?: string }) => object,
): WebhookConfiguration {
  const webhooks = configuration.webhooks.map((webhook) => {
    const { clientConfig } = webhook as { clientConfig: { service?: { path?: string } } }
    return {
      ...webhook,
      clientConfig: { ...clientConfig, service: undefined, ...replace(clientConfig.service ?? {}) },
    }
  })
  return { ...configuration, webhooks }
}

/** Whether the operator fills the defaults of a Cluster. */
async function isAdmitted(admin: Client): Promise<boolean> {
  const probe = {
    metadata: { namespace: 'default', name: 'probe' },
    spec: { instances: 1, storage: { size: '1Gi' } },
  }
  const { spec } = await admin.create(clusters, probe, { dryRun: true })
  return spec.postgresql?.parameters !== undefined
}
