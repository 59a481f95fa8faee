/**
 * GET requests for charts, whose servers the user names. Credentials go only to the origin that they are for: a
 * redirect to another origin loses them, and no message contains them, nor the query of a URL.
 */

/** How long a request may take, in milliseconds. */
const limitMs = 60_000

/** A request. */
export interface Download {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** The maximum size of the body, in bytes. */
  readonly limitBytes: number
}

/** The answer of a server. */
export interface DownloadAnswer {
  /** The URL that answered, after all redirects. */
  readonly url: URL
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Reads the body. Rejects with {@link DownloadError} beyond the limit. */
  read(limitBytes: number): Promise<Buffer>
}

/** A request to a server has failed. The message names the URL without its query. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
}

/** Sends a GET request and lets `use` read the answer. Rejects with {@link DownloadError} if there is no answer. */
export async function request<T>(
  { url, headers = {} }: Omit<Download, 'limitBytes'>,
  use: (answer: DownloadAnswer) => Promise<T>,
): Promise<T> {
  const requestUrl = checkedUrl(url)
  const name = urlName(requestUrl)
  const abortController = new AbortController()
  const signal = AbortSignal.any([abortController.signal, AbortSignal.timeout(limitMs)])
  const response = await fetch(requestUrl, { headers, signal }).catch((error: unknown) => {
    throw new DownloadError(
      `${name}: the server cannot be reached: ${reasonOf(error)}; check the URL and the network`,
      { cause: error },
    )
  })
  try {
    if (requestUrl.protocol === 'https:' && !response.url.startsWith('https:'))
      throw new DownloadError(`${name}: the server redirects to a URL without TLS`)
    const read = (limitBytes: number) => bodyOf(response, { name, limitBytes })
    const { status } = response
    return await use({
      url: new URL(response.url),
      status,
      headers: Object.fromEntries(response.headers),
      read,
    })
  } finally {
    // An unread body would keep its connection.
    abortController.abort()
  }
}

/** The content of a URL. Rejects with {@link DownloadError} for a status other than 200, and beyond the limit. */
export function fetchContent(download: Download): Promise<Buffer> {
  return request(download, async ({ status, read }) => {
    if (status === 200) return read(download.limitBytes)
    throw statusError(download.url, status)
  })
}

/** The error for a status other than 200, with what to do. */
export function statusError(url: string, status: number): DownloadError {
  const name = urlName(checkedUrl(url))
  return new DownloadError(`${name}: the server answered ${status}, expected 200; ${statusCure(status)}`)
}

function statusCure(status: number): string {
  if (status === 401 || status === 403) return 'set CHART_USERNAME and CHART_PASSWORD in the environment'
  if (status === 404) return 'nothing is there: correct --chart, --repo or --chart-version'
  return status === 429 || status >= 500 ? 'try again later' : 'check the URL'
}

/** Parses a URL. Throws {@link DownloadError} for another scheme, and for a URL with a user. */
function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new DownloadError('this is not an https: or http: URL')
  if (url.username || url.password)
    throw new DownloadError(
      `${urlName(url)}: remove user and password from the URL, and set CHART_USERNAME and CHART_PASSWORD in the environment`,
    )
  return url
}

/** A URL in messages: its user and its query may be credentials. */
export const urlName = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`

/** Reads a body up to a limit. */
async function bodyOf(
  { body }: Response,
  { name, limitBytes }: { readonly name: string; readonly limitBytes: number },
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limitBytes) throw new DownloadError(`${name}: the answer has more than ${limitBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The reason of a failed fetch, without its URL. */
function reasonOf(error: unknown): string {
  const { cause, name } = error instanceof Error ? error : new Error('')
  const { code } = Object(cause)
  return typeof code === 'string' ? code : cause instanceof Error ? cause.message : name
}
