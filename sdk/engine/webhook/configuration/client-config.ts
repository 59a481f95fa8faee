/** The address at which the API server calls the webhooks. */
export type WebhookEndpoint =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number } }
  | {
      /** For example `https://127.0.0.1:9443`, for an API server on the same machine or in the same pod. */
      readonly url: string
    }

/** The `clientConfig` of a webhook: its address for the API server, and the authorities to trust. */
export function clientConfigOf(
  path: string,
  { endpoint, authorities }: { endpoint: WebhookEndpoint; authorities: readonly string[] },
) {
  const caBundle = authorities.length > 0 && {
    caBundle: Buffer.from(authorities.join('')).toString('base64'),
  }
  if ('url' in endpoint) return { url: `${endpoint.url.replace(/\/$/, '')}${path}`, ...caBundle }
  const { namespace, name, port = 443 } = endpoint.service
  return { service: { namespace, name, port, path }, ...caBundle }
}
