import type { ServerParts } from '../../server/context.js'
import type { ClientConfig } from '../matching/webhook.js'
import type { ReviewPost } from './post-review.js'

/** The address of a webhook. Throws if the address of its Service is unknown. */
export function addressOf(
  { url, service, caBundle }: ClientConfig,
  server: Pick<ServerParts, 'resolveService'>,
): Pick<ReviewPost, 'url' | 'address' | 'caBundle'> {
  if (service === undefined) return { url: url ?? '', caBundle }
  const { name, namespace, path = '', port = 443 } = service
  const address = server.resolveService({ name, namespace, port })
  if (address === undefined) throw new Error(`service "${name}" not found`)
  return { url: `https://${name}.${namespace}.svc:${port}${path}`, address, caBundle }
}
