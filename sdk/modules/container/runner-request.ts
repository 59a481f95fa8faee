import { type IncomingMessage, request } from 'node:http'

/** The maximum size of an answer, in bytes: more than the largest metadata. */
const maxAnswerBytes = 1024 * 1024

/** A request to a container. */
export interface RunnerRequest {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** The answer of a container. */
export interface RunnerAnswer {
  readonly status: number
  readonly text: string
}

/** Makes a request. The signal is its only time limit, because a call may take long. Redirects are not followed. */
export function requestRunner(
  url: string,
  { method, headers, body, signal }: RunnerRequest,
): Promise<RunnerAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers }, signal, agent: false }, (response) => {
      readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    sent.on('error', (error) => reject(signal.aborted ? signal.reason : error))
    sent.end(body)
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) {
      response.destroy()
      throw new Error(`the container answered more than ${maxAnswerBytes} bytes; its metadata is too large`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
