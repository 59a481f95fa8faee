import type { IncomingMessage } from 'node:http'
import { ReviewError } from '../review/review-error.js'

/** The largest AdmissionReview holds two objects of 3 MiB: the limit of controller-runtime. */
const limit = 7 * 1024 * 1024

/** Reads the body of a POST with JSON. Throws {@link ReviewError} for another method or type, and above 7 MiB. */
export async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  if (request.method !== 'POST') throw new ReviewError(405, 'a webhook is called with POST')
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new ReviewError(415, 'a webhook takes application/json')
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = () => new ReviewError(413, `the body is larger than ${limit} bytes`)
