import { issuer, type ServiceAccountTokens } from '../access/tokens/service-account-tokens.js'
import { jsonText } from '../output/writer.js'
import type { ApiResponse } from '../request/request.js'
import { methodNotAllowed } from '../request/status.js'

const keys = '/openid/v1/jwks'
const configuration = '/.well-known/openid-configuration'
const paths = [keys, configuration]

/**
 * Answers the two paths for verifiers of tokens; undefined for other paths. See
 * https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#service-account-issuer-discovery
 * Throws 405 for methods other than GET.
 */
export function issuerDiscovery(
  method: string,
  path: string,
  tokens: ServiceAccountTokens,
): ApiResponse | undefined {
  const requested = path.replace(/\/$/, '')
  if (method !== 'GET' && paths.includes(requested)) throw methodNotAllowed()
  if (requested === keys) {
    return jsonText(200, JSON.stringify(tokens.keySet()), 'application/jwk-set+json')
  }
  if (requested !== configuration) return undefined
  const document = {
    issuer,
    jwks_uri: `${issuer}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  }
  return jsonText(200, JSON.stringify(document))
}
