import type { IncomingMessage } from 'node:http'
import { isLocalName } from '../health/local-name.js'

/**
 * Why a request is not answered, in a sentence; undefined if it is. The inspector answers loopback alone, whatever
 * address it listens on; a page elsewhere that rebinds its own name to loopback is known by the Host header, and one
 * that asks by the right name by `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/).
 */
export function refusal({ method, headers, socket }: IncomingMessage): string | undefined {
  if (!isLoopback(socket.localAddress) || !isLoopback(socket.remoteAddress))
    return 'The inspector answers on loopback alone; use kubectl port-forward.'
  if (!isLocalName(headers.host)) return 'The inspector is asked as localhost, 127.0.0.1 or [::1] only.'
  const site = headers['sec-fetch-site']
  const isLink = headers['sec-fetch-mode'] === 'navigate' && method === 'GET'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isLink)
    return 'The inspector is not asked by pages of other sites.'
  return undefined
}

function isLoopback(address = ''): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/**
 * Headers of every response of the inspector: no content from other hosts, no frames, no caching, no
 * referrer.
 */
export const safeHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
