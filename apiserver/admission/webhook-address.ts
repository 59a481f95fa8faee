import type { ServerParts } from '../server/context.js'
import type { Posting } from './post-review.js'
import type { ClientConfig } from './webhook.js'

/** The address of a webhook. Throws if the address of its Service is unknown. */
export function addressOf(
  { url, service, caBundle }: ClientConfig,
  server: Pick<ServerParts, 'resolveService'>,
): Pick<Posting, 'url' | 'address' | 'caBundle'> {
  if (service === undefined) return { url: url ?? '', caBundle }
  const { name, namespace, path = '', port = 443 } = service
  const address = server.resolveService({ name, namespace, port })
  if (address === undefined) throw new Error(`service "${name}" not found`)
  return { url: `https://${name}.${namespace}.svc:${port}${path}`, address, caBundle }
}
