import type { IncomingMessage } from 'node:http'
import { ReviewError } from '../review/review-error.js'

/** The maximum size of a body, in bytes, as in controller-runtime: an AdmissionReview may hold two objects of 3 MiB. */
const limit = 7 * 1024 * 1024

/**
 * The maximum size of all bodies at a time, in bytes. Any program of the cluster can call a webhook, and a review
 * becomes larger when it is parsed.
 */
const totalLimit = 64 * 1024 * 1024

/**
 * The maximum number of values of a review, because hooks look at each value on the event loop that also renews the
 * Lease.
 */
const maxValues = 100_000

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
  readonly #reading = new Set<Reading>()

  /**
   * Reads the body of a POST with JSON, and counts it until `work` has ended. Throws {@link ReviewError} for another
   * method or type, above 7 MiB or 100,000 values, and if all bodies together are above 64 MiB. Slow bodies are aborted
   * before others are refused.
   */
  async withBody<R>(request: IncomingMessage, work: (body: Uint8Array) => Promise<R>): Promise<R> {
    checkHeaders(request)
    const reading = { request, sinceMs: performance.now(), size: 0 }
    try {
      const body = await this.#read(reading)
      checkValues(body)
      return await work(body)
    } finally {
      this.#total -= reading.size
    }
  }

  async #read(reading: Reading): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    this.#reading.add(reading)
    try {
      for await (const chunk of reading.request as AsyncIterable<Uint8Array>) {
        reading.size += chunk.byteLength
        this.#total += chunk.byteLength
        if (reading.size > limit) throw tooLargeError()
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
    if (this.#total > totalLimit) throw new ReviewError(503, 'too many large requests at a time; try again')
  }
}

function checkHeaders({ method, headers }: IncomingMessage): void {
  if (method !== 'POST') throw new ReviewError(405, 'a webhook is called with POST')
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw new ReviewError(415, 'a webhook takes application/json')
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLargeError()
}

/** Counts the characters that begin or divide values, also in texts. */
function checkValues(body: Uint8Array): void {
  let count = 1
  for (const byte of body) if (byte === 44 || byte === 91 || byte === 123) count++
  if (count > maxValues)
    throw new ReviewError(413, `the review has more than ${maxValues} values; store less in one object`)
}

const tooLargeError = () => new ReviewError(413, `the body is larger than ${limit} bytes`)
