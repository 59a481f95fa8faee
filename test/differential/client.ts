import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Call } from './step.js'

/** A server's response to one call. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  /** The `warning` header; empty if there is none. */
  readonly warning: string
  /** JSON, or text if it is not JSON. */
  readonly body: unknown
}

/** An open watch: its response, and the events that arrive. */
export interface Watch {
  readonly answer: Answer
  /** Reads until an event contains the text, and returns all events, or those until the end of the stream. */
  readUntil(text: string): Promise<unknown[]>
}

/** The name of all clients; owners of fields are named after it. */
export const differentialUserAgent = 'differential'

/** The time without events after which a missing event counts as missing, in milliseconds. */
const patienceMs = 15_000

/** Makes one call. */
export async function send(transport: Transport, call: Call): Promise<Answer> {
  const { status, headers, body } = await transport.request(requestOf(call))
  return answerOf(status, headers, Buffer.from(body).toString('utf8'))
}

/** Opens a watch. A response other than 200 is read to its end and has no events. */
export async function open(transport: Transport, call: Call, signal: AbortSignal): Promise<Watch> {
  const { status, headers, chunks } = await transport.stream({ ...requestOf(call), signal })
  if (status === 200) {
    const answer = { ...answerOf(status, headers, ''), body: 'a watch' }
    return { answer, readUntil: (text) => readEvents(chunks, text) }
  }
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return {
    answer: answerOf(status, headers, Buffer.concat(parts).toString('utf8')),
    readUntil: async () => [],
  }
}

function requestOf({ method, path, body, headers = {} }: Call) {
  const typed = body === undefined ? headers : { 'content-type': 'application/json', ...headers }
  return {
    method,
    path,
    headers: { 'user-agent': differentialUserAgent, ...typed },
    ...(body === undefined ? {} : { body: stringifyJson(body) }),
  }
}

function answerOf(status: number, headers: Record<string, string>, text: string): Answer {
  const contentType = headers['content-type'] ?? ''
  const isJson = contentType.startsWith('application/json') && text !== ''
  return { status, contentType, warning: headers.warning ?? '', body: isJson ? parseJson(text) : text }
}

async function readEvents(chunks: AsyncIterable<Uint8Array>, last: string): Promise<unknown[]> {
  const events: unknown[] = []
  const iterator = chunks[Symbol.asyncIterator]()
  let rest = ''
  for (;;) {
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    events.push(...lines.map((line) => parseJson(line)))
    if (lines.some((line) => line.includes(last))) break
    const chunk = await inTime(iterator.next())
    if (chunk === undefined || chunk.done === true) return [...events, `no event with ${last}`]
    rest += Buffer.from(chunk.value).toString('utf8')
  }
  return events
}

async function inTime<T>(waiting: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs)
  })
  try {
    return await Promise.race([waiting, late])
  } finally {
    clearTimeout(timer)
  }
}
