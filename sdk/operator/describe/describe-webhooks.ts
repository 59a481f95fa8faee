import type { WebhookEndpoint } from '../../engine/webhook/configuration/client-config.js'
import { webhookConfigurations } from '../webhook/webhook-configurations.js'
import { defaultFolder, defaultPort } from '../webhook/webhook-defaults.js'
import type { WebhookOptions } from '../webhook/webhook-options.js'
import type { WebhooksDescription } from './operator-description.js'

/** The name and the namespace of an operator. */
export interface OperatorName {
  readonly name: string
  readonly namespace: string
}

/** The address of the webhooks of an operator. */
export function endpointOf(
  { url, service }: Pick<WebhookOptions, 'url' | 'service'>,
  { name, namespace }: OperatorName,
): WebhookEndpoint {
  return url === undefined ? { service: { namespace, name: service ?? `${name}-webhook` } } : { url }
}

/** The Certificate of cert-manager for certificate files, as `namespace/name`. Its Secret has the same name. */
export function certManagerCertificate({ name, namespace }: OperatorName): string {
  return `${namespace}/${name}-webhook-certificate`
}

/** Describes webhooks. With a certificate of its own the operator writes the configurations, once it can be reached. */
export function describeWebhooks(options: WebhookOptions, operatorName: OperatorName): WebhooksDescription {
  const { port = defaultPort, certificate = { folder: defaultFolder }, kinds } = options
  const { serviceAccount = operatorName.name, secret = `${operatorName.name}-webhook-certificate` } = options
  const endpoint = endpointOf(options, operatorName)
  const service = 'service' in endpoint && { service: endpoint.service.name }
  const configurations = webhookConfigurations({
    ...operatorName,
    kinds,
    endpoint,
    injectFrom: certManagerCertificate(operatorName),
    serviceAccount,
  })
  const configurationKinds = configurations.map(({ kind = '' }) => kind)
  const common = { port, ...service, serviceAccount, configurationKinds }
  if (certificate === 'selfSigned') return { ...common, secret, configurations: [] }
  // cert-manager gives the Secret the name of its Certificate.
  const issued = certManagerCertificate(operatorName).slice(operatorName.namespace.length + 1)
  return { ...common, certificateFolder: certificate.folder, secret: issued, configurations }
}
