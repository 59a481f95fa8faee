/**
 * Checks how the CloudNativePG operator finds and reaches a plugin. If a part is missing, the operator ignores the
 * Service without a message, so each part has a finding of its own. A part that the credentials may not read is
 * skipped.
 */
import type { Client } from '../../../sdk/engine/client/client.js'
import {
  deployments,
  type Secret,
  type Service,
  secrets,
  services,
} from '../../../sdk/engine/kube/builtin.js'
import { ApiError, isNotFound } from '../../../sdk/engine/kube/error.js'
import { type Finding, finding } from '../finding.js'
import { findingsIfReadable, orRefusal, unreadable } from '../if-readable.js'
import { clientFindings, needsAuthority, serverFindings } from './certificate-findings.js'

/** Options of {@link cnpgFindings}. */
export interface CnpgFindingsOptions {
  client: Client
  /** The name of the plugin in its metadata. */
  plugin: string
  /** The namespace of the plugin; default that of the operator, or else that of the context. */
  namespace: string | undefined
  /** The namespace of the context of the kubeconfig; undefined if it names none. */
  contextNamespace: string | undefined
  now: Date
}

const nameLabel = 'cnpg.io/pluginName'
const annotation = (suffix: string) => `cnpg.io/plugin${suffix}`
/** The label of the operator's Deployment in its own manifests and in its chart. */
const operatorSelector = 'app.kubernetes.io/name=cloudnative-pg'
const defaultNamespace = 'cnpg-system'

/** The findings, in the order in which the operator needs the parts. */
export async function cnpgFindings(options: CnpgFindingsOptions): Promise<Finding[]> {
  const operators = await orRefusal(operatorNamespaces(options.client))
  const isRefused = operators instanceof ApiError
  const { namespace, origin } = chosenNamespace(options, isRefused ? [] : operators)
  return [
    finding('namespace', 'ok', `${namespace}, ${origin}`),
    isRefused ? unreadable('operator', operators) : operatorFinding(operators, namespace),
    ...(await findingsIfReadable('Service', () => findingsIn(namespace, options))),
  ]
}

/** The findings about the parts in the namespace of the plugin. */
async function findingsIn(namespace: string, options: CnpgFindingsOptions): Promise<Finding[]> {
  const { client, plugin } = options
  const inNamespace = (await client.list(services, { namespace })).items
  const service = inNamespace.find(({ metadata }) => metadata.labels?.[nameLabel] === plugin)
  const findings = [serviceFinding(inNamespace, service, plugin, namespace)]
  if (!service) return findings
  return [...findings, portFinding(service), ...(await certificateFindings(options, namespace, service))]
}

/** The namespaces of the Deployments that have the label of the operator. */
async function operatorNamespaces(client: Client): Promise<readonly string[]> {
  const { items } = await client.list(deployments, { labelSelector: operatorSelector })
  return [...new Set(items.map(({ metadata }) => metadata.namespace ?? ''))].sort()
}

/** The namespace in which the plugin is looked for, and why that one. */
function chosenNamespace(
  { namespace, contextNamespace }: Pick<CnpgFindingsOptions, 'namespace' | 'contextNamespace'>,
  [operator, ...others]: readonly string[],
): { namespace: string; origin: string } {
  if (namespace !== undefined) return { namespace, origin: 'by -n' }
  const cure = 'pass that of the plugin with -n if it is another'
  // Anyone who may create a Deployment may give it the label of the operator: of several, none is chosen.
  if (operator !== undefined && others.length === 0)
    return { namespace: operator, origin: `that of the operator; ${cure}` }
  if (contextNamespace !== undefined)
    return { namespace: contextNamespace, origin: `that of the context of the kubeconfig; ${cure}` }
  return { namespace: defaultNamespace, origin: `the usual one, because the context names none; ${cure}` }
}

function operatorFinding(operators: readonly string[], namespace: string): Finding {
  const check = 'operator'
  const [operator] = operators
  if (operator === undefined)
    return finding(
      check,
      'warning',
      `no Deployment has the label ${operatorSelector}; install CloudNativePG, or compare its namespace with ${namespace}`,
    )
  if (operators.length > 1) {
    const message = `Deployments in ${operators.join(', ')} have the label ${operatorSelector}; the plugin has to be where the operator is: pass that namespace with -n`
    return finding(check, operators.includes(namespace) ? 'warning' : 'failed', message)
  }
  if (operator === namespace) return finding(check, 'ok', `in ${operator}, where it looks for plugins`)
  const message = `by the label of its Deployment it is in ${operator} and looks for plugins there only, but the plugin is in ${namespace}; deploy the plugin with -n ${operator}, if that is your operator`
  return finding(check, 'failed', message)
}

function serviceFinding(
  all: readonly Service[],
  service: Service | undefined,
  plugin: string,
  namespace: string,
): Finding {
  const check = 'Service'
  if (service) return finding(check, 'ok', `${service.metadata.name} has the label ${nameLabel}=${plugin}`)
  const short = plugin.split('.')[0]
  const near = all.find(
    ({ metadata }) =>
      metadata.name === short ||
      metadata.labels?.['cnpg.io/plugin'] !== undefined ||
      metadata.labels?.[nameLabel] !== undefined,
  )
  if (!near)
    return finding(
      check,
      'failed',
      `no Service in ${namespace} has the label ${nameLabel}=${plugin}; apply what "vcluster-plugin manifest" prints`,
    )
  const { name, labels } = near.metadata
  const value = labels?.[nameLabel]
  const message =
    value === undefined
      ? `Service ${name} has no label ${nameLabel}; set it to ${plugin}`
      : `Service ${name} has the label ${nameLabel}=${value}, but the plugin is called ${plugin}; use one name, or the operator does half its work`
  return finding(check, 'failed', message)
}

function portFinding({ metadata, spec }: Service): Finding {
  const check = 'port'
  const text = metadata.annotations?.[annotation('Port')]
  const ports = (spec?.ports ?? []).map(({ port }) => port)
  if (text === undefined)
    return finding(
      check,
      'failed',
      `Service ${metadata.name} has no annotation ${annotation('Port')}; set it to the port of the gRPC server, one of ${ports.join(', ')}`,
    )
  if (ports.includes(Number(text))) return finding(check, 'ok', `${text} of Service ${metadata.name}`)
  return finding(
    check,
    'failed',
    `${annotation('Port')} of Service ${metadata.name} is ${JSON.stringify(text)}, but the Service has the ports ${ports.join(', ')}`,
  )
}

async function certificateFindings(
  { client, now }: CnpgFindingsOptions,
  namespace: string,
  service: Service,
): Promise<Finding[]> {
  const { name = '', annotations } = service.metadata
  const serverName = annotations?.[annotation('ServerName')] ?? name
  const part = (role: 'Server' | 'Client', read: (secret: Secret) => Finding[] | Promise<Finding[]>) =>
    findingsIfReadable(`${role.toLowerCase()} certificate`, async () => {
      const secret = await secretOf(client, namespace, { service, part: role })
      return 'state' in secret ? [secret] : read(secret)
    })
  return [
    ...(await part('Server', (secret) => serverFindings(secret, serverName, now))),
    ...(await part('Client', async (secret) => [
      ...clientFindings(secret, now),
      ...(await findingsIfReadable('client authority', () => authorityFindings(client, namespace, secret))),
    ])),
  ]
}

async function secretOf(
  client: Client,
  namespace: string,
  { service, part: role }: { service: Service; part: 'Server' | 'Client' },
): Promise<Secret | Finding> {
  const check = `${role.toLowerCase()} certificate`
  const name = service.metadata.annotations?.[annotation(`${role}Secret`)]
  if (name === undefined) {
    const message = `Service ${service.metadata.name} has no annotation ${annotation(`${role}Secret`)}; set it to the name of the Secret`
    return finding(check, 'failed', message)
  }
  try {
    return await client.get(secrets, { namespace, name })
  } catch (error) {
    if (!isNotFound(error)) throw error
    const message = `${annotation(`${role}Secret`)} of Service ${service.metadata.name} names the Secret ${name}, which does not exist in ${namespace}; install cert-manager, or print the manifest with --self-signed`
    return finding(check, 'failed', message)
  }
}

/**
 * The findings about a plugin that trusts only an issued certificate: the operator presents its certificate only to a
 * server that asks for the issuer.
 */
async function authorityFindings(client: Client, namespace: string, secret: Secret): Promise<Finding[]> {
  if (!needsAuthority(secret)) return []
  const { name } = secret.metadata
  const { items } = await client.list(deployments, { namespace })
  const volumes = items.flatMap(({ spec }) => spec?.template.spec?.volumes ?? [])
  const mounted = volumes.find((volume) => volume.secret?.secretName === name)?.secret
  const keys = mounted?.items?.map(({ key }) => key)
  if (!mounted || !keys || keys.includes('ca.crt')) return []
  const message = `an authority issued the certificate in Secret ${name}, but the plugin mounts ${keys.join(', ')} only, so the operator presents nothing; mount ca.crt as --client-ca`
  return [finding('client authority', 'failed', message)]
}
