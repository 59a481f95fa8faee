import { request } from 'node:https'
import { parseJson, stringifyJson } from '../../../sdk/engine/kube/json.js'
import { certificateText } from './certificate-text.js'

/** A review to send, and the server that gets it. */
export interface ReviewPost {
  /** The address as errors show it, without the query. */
  readonly url: string
  /** The `host:port` to connect to, if it is not that of the URL. */
  readonly address?: string | undefined
  /** The certificate authorities to trust: PEM as base64; default the certificate authorities of the machine. */
  readonly caBundle?: string | undefined
  readonly timeoutSeconds: number
  /** End the call: when the server closes, and when the client has gone. */
  readonly signals: readonly AbortSignal[]
  readonly review: object
}

/** The maximum size of a webhook's response. */
const maxResponseBytes = 8 * 1024 * 1024

/**
 * Posts a review and returns the body of the response, as JSON. Rejects with the texts of Go's HTTP client and
 * client-go. The time limit counts real time, because the webhook runs in real time, too.
 */
export async function postReview(posting: ReviewPost): Promise<unknown> {
  const url = new URL(posting.url)
  url.searchParams.set('timeout', `${posting.timeoutSeconds}s`)
  const limit = AbortSignal.timeout(posting.timeoutSeconds * 1000)
  const signal = AbortSignal.any([limit, ...posting.signals])
  const { status, text } = await send(url, posting, signal).catch((error: unknown) => {
    throw new Error(`Post "${url.href}": ${reasonOf(error, posting.signals, limit)}`)
  })
  if (status < 200 || status > 206) throw new Error(statusText(status, text))
  try {
    return parseJson(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`couldn't get version/kind; json parse error: ${why}`)
  }
}

function reasonOf(error: unknown, signals: readonly AbortSignal[], limit: AbortSignal): string {
  if (limit.aborted) return 'context deadline exceeded'
  return signals.some(({ aborted }) => aborted) ? 'context canceled' : networkText(error)
}

interface ReceivedResponse {
  readonly status: number
  readonly text: string
}

function send(
  url: URL,
  { address, caBundle, review }: ReviewPost,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const body = Buffer.from(stringifyJson(review))
  const ca = caBundle === undefined ? {} : { ca: Buffer.from(caBundle, 'base64') }
  const [hostname, port] = address === undefined ? [] : splitAddress(address)
  const destination = hostname === undefined ? {} : { hostname, port, servername: url.hostname }
  const headers = {
    accept: 'application/json, */*',
    'content-type': 'application/json',
    'content-length': String(body.byteLength),
    'user-agent': 'kube-apiserver-admission',
    host: url.host,
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', agent: false, signal, headers, ...ca, ...destination },
      (response) => {
        readBody(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
      },
    )
    outgoing.on('error', reject).end(body)
  })
}

function splitAddress(address: string): [host: string, port: string] {
  const colon = address.lastIndexOf(':')
  return [address.slice(0, colon).replace(/^\[|\]$/g, ''), address.slice(colon + 1)]
}

async function readBody(response: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.byteLength
    if (size > maxResponseBytes) throw new Error('http: response body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const networkTexts: Readonly<Record<string, (error: NodeJS.ErrnoException & DialAddress) => string>> = {
  ECONNREFUSED: ({ address, port }) => `dial tcp ${address}:${port}: connect: connection refused`,
  ECONNRESET: () => 'EOF',
  ENOTFOUND: ({ hostname }) => `dial tcp: lookup ${hostname}: no such host`,
}

interface DialAddress {
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
}

function networkText(error: unknown): string {
  const problem =
    error instanceof Error ? (error as NodeJS.ErrnoException & DialAddress) : new Error(String(error))
  const text = networkTexts[(problem as NodeJS.ErrnoException).code ?? '']?.(problem)
  return text ?? certificateText(problem) ?? problem.message
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
}

/** `NewGenericServerResponse` of apimachinery. */
function statusText(status: number, text: string): string {
  const statusText = statusTexts[status]
  if (statusText !== undefined) return statusText
  if (status >= 500)
    return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`
  return `the server responded with the status code ${status} but did not return more information`
}
