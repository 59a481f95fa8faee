import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { ApiRequest, ApiResponse } from '../request/request.js'

const compress = promisify(gzip)

/**
 * The minimum size for compression; `pkg/endpoints/handlers/responsewriters/writers.go` of k8s.io/apiserver
 * v0.36.3.
 */
const minBytes = 128 * 1024

/** Compresses the response by gzip if it is large and the client accepts that. */
export function compressResponse(
  { headers }: Pick<ApiRequest, 'headers'>,
  answer: ApiResponse,
): Promise<ApiResponse> | ApiResponse {
  const { body } = answer
  if (!(body instanceof Uint8Array) || body.byteLength < minBytes) return answer
  if (headers?.['accept-encoding']?.includes('gzip') !== true) return answer
  return withGzip(answer, body)
}

async function withGzip(answer: ApiResponse, body: Uint8Array): Promise<ApiResponse> {
  const bytes = await compress(body, { level: constants.Z_BEST_SPEED })
  const { vary = 'Accept-Encoding' } = answer.headers
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'content-encoding': 'gzip',
      'content-length': String(bytes.byteLength),
      vary: vary === 'Accept' ? 'Accept, Accept-Encoding' : vary,
    },
    body: bytes,
  }
}
