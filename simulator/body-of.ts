import { AnswerTooLargeError, type TransportRequest } from '../sdk/engine/transport/transport.js'

/** Joins the chunks of an answer. Throws if they are more than the request permits. */
export async function bodyOf(
  chunks: AsyncIterable<Uint8Array>,
  request: Pick<TransportRequest, 'method' | 'path' | 'maxBytes'>,
): Promise<Uint8Array> {
  const { maxBytes = Number.POSITIVE_INFINITY } = request
  const chunkList: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    chunkList.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) throw new AnswerTooLargeError(request)
  }
  return chunkList.length === 1 && chunkList[0] ? chunkList[0] : Buffer.concat(chunkList)
}
