import type { IncomingMessage } from 'node:http'
import { ReviewError } from '../review/review-error.js'
import { type BodyLimits, conversionLimits, tooLargeError, tooManyValuesError } from './body-limits.js'

/**
 * The maximum size of all bodies at a time, in bytes. Any program of the cluster can call a webhook, and a review
 * becomes larger when it is parsed.
 */
const totalLimit = 64 * 1024 * 1024

/** The maximum number of values in all bodies at a time: one body may have as many. */
const totalValues = conversionLimits.values
/** The values of a body that is parsed at once, whatever others are answered. */
const smallValues = 10_000

/**
 * The time after which a body that is not read completely makes room for others, in milliseconds. API servers send
 * theirs at once.
 */
const slowAfterMs = 500

/** A body that is being read. */
interface Reading {
  readonly request: IncomingMessage
  readonly sinceMs: number
  size: number
}

/** The bodies of the requests that a server answers at a time. */
export class RequestBodies {
  #total = 0
  #values = 0
  /** Continues the bodies that wait for room. */
  readonly #waiting: (() => void)[] = []
  readonly #reading = new Set<Reading>()

  /**
   * Reads the body of a POST with JSON, and counts it until `work` has ended. Throws {@link ReviewError} for another
   * method or type, above the limits, and if all bodies together are above 64 MiB. Slow bodies are aborted before
   * others are refused.
   */
  async withBody<R>(
    request: IncomingMessage,
    limits: BodyLimits,
    work: (body: Uint8Array) => Promise<R>,
  ): Promise<R> {
    checkHeaders(request, limits)
    const reading = { request, sinceMs: performance.now(), size: 0 }
    try {
      const body = await this.#read(reading, limits)
      const values = countValues(body)
      if (values > limits.values) throw tooManyValuesError(limits)
      return await this.#withValues(values, () => work(body))
    } finally {
      this.#total -= reading.size
    }
  }

  /** Large bodies wait until there is room for their values; small ones do not count. */
  async #withValues<R>(values: number, work: () => Promise<R>): Promise<R> {
    if (values <= smallValues) return await work()
    while (this.#values > 0 && this.#values + values > totalValues)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#values += values
    try {
      return await work()
    } finally {
      this.#values -= values
      for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  async #read(reading: Reading, limits: BodyLimits): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    this.#reading.add(reading)
    try {
      for await (const chunk of reading.request as AsyncIterable<Uint8Array>) {
        reading.size += chunk.byteLength
        this.#total += chunk.byteLength
        if (reading.size > limits.bytes) throw tooLargeError(limits)
        if (this.#total > totalLimit) this.#makeRoom(reading)
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    } finally {
      this.#reading.delete(reading)
    }
  }

  /** Aborts the largest of the slow bodies, so that a few slow connections keep no other client out. */
  #makeRoom(other: Reading): void {
    const slow = [...this.#reading]
      .filter((one) => one !== other && performance.now() - one.sinceMs > slowAfterMs)
      .sort((one, two) => two.size - one.size)
    for (const body of slow) {
      if (this.#total <= totalLimit) return
      this.#total -= body.size
      body.size = 0
      this.#reading.delete(body)
      body.request.destroy()
    }
    if (this.#total > totalLimit) throw busyError()
  }
}

const busyError = () => new ReviewError(503, 'too many large requests at a time; try again')

function checkHeaders({ method, headers }: IncomingMessage, limits: BodyLimits): void {
  if (method !== 'POST') throw new ReviewError(405, 'a webhook is called with POST')
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw new ReviewError(415, 'a webhook takes application/json')
  if (Number(headers['content-length'] ?? 0) > limits.bytes) throw tooLargeError(limits)
}

const [quote, comma, bracket, backslash, brace] = [34, 44, 91, 92, 123]

/** Counts the characters of JSON that begin or divide values. An empty list or object ends next to its beginning. */
function countValues(body: Uint8Array): number {
  let count = 1
  let isInText = false
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === quote) isInText = !isInText
    else if (isInText) at += byte === backslash ? 1 : 0
    else if (byte === comma) count++
    else if ((byte === bracket || byte === brace) && body[at + 1] !== byte + 2) count++
  }
  return count
}
