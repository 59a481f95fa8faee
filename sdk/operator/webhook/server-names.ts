import type { ServerNames } from '../../engine/certificate/serving-certificate.js'
import type { WebhookEndpoint } from '../../engine/webhook/configuration/client-config.js'

/** The names that the certificate of webhooks at this address must have. */
export function serverNamesOf(endpoint: WebhookEndpoint): ServerNames {
  if ('service' in endpoint) {
    const { namespace, name } = endpoint.service
    return { dnsNames: [`${name}.${namespace}.svc`], addresses: [] }
  }
  const { hostname } = new URL(endpoint.url)
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  return isAddress
    ? { dnsNames: [], addresses: [hostname.replace(/^\[|\]$/g, '')] }
    : { dnsNames: [hostname], addresses: [] }
}
