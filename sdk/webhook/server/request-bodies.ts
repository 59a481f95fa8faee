import type { IncomingMessage } from 'node:http'
import { ReviewError } from '../review/review-error.js'

/** The largest AdmissionReview holds two objects of 3 MiB: the limit of controller-runtime. */
const limit = 7 * 1024 * 1024

/** The most bytes of bodies at a time. Any program of the cluster can call a webhook, and a review becomes larger when it is parsed. */
const totalLimit = 64 * 1024 * 1024

/** The bodies of the requests that a server answers at a time. */
export class RequestBodies {
  #total = 0

  /**
   * Reads the body of a POST with JSON, and counts it until `work` has ended. Throws {@link ReviewError} for another method or type, above
   * 7 MiB, and if all bodies together are above 64 MiB.
   */
  async withBody<R>(request: IncomingMessage, work: (body: Uint8Array) => Promise<R>): Promise<R> {
    checkHeaders(request)
    const chunks: Uint8Array[] = []
    let size = 0
    try {
      for await (const chunk of request as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength
        this.#total += chunk.byteLength
        if (size > limit) throw tooLarge()
        if (this.#total > totalLimit)
          throw new ReviewError(503, 'too many large requests at a time; try again')
        chunks.push(chunk)
      }
      return await work(Buffer.concat(chunks))
    } finally {
      this.#total -= size
    }
  }
}

function checkHeaders({ method, headers }: IncomingMessage): void {
  if (method !== 'POST') throw new ReviewError(405, 'a webhook is called with POST')
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw new ReviewError(415, 'a webhook takes application/json')
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge()
}

const tooLarge = () => new ReviewError(413, `the body is larger than ${limit} bytes`)
