import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Converts a request to a web-standard request, whose body still arrives. Undefined if that would change the URL:
 * vcluster has matched its rules with the path as it was sent, so `a/../b` must not become `b` afterwards.
 */
export function toRequest(message: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { url: target = '', method = 'GET' } = message
  const url = urlOf(target, message.headers.host)
  if (!url || url.pathname !== target.replace(/\?.*$/s, '')) return undefined
  const body = ['GET', 'HEAD'].includes(method) ? null : Readable.toWeb(message)
  try {
    return new Request(url, { method, headers: headersOf(message), body, signal, duplex: 'half' })
  } catch (error) {
    // A method that the web does not know, such as TRACE.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The URL of a request. Its host comes from the client; do not rely on it. */
function urlOf(target: string, host = 'localhost'): URL | undefined {
  if (!target.startsWith('/')) return undefined
  const base = `https://${host}`
  return URL.canParse(base) ? new URL(new URL(base).origin + target) : undefined
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  return headers
}
