import { ApiError } from '../../sdk/engine/kube/error.js'
import { checkAllowed, identify } from '../access/admit.js'
import type { Flows } from '../access/flows.js'
import { issuerDiscovery } from '../discovery/issuer-discovery.js'
import { nonResource } from '../discovery/non-resource.js'
import { compressResponse } from '../output/compress-response.js'
import { warningHeader } from '../output/warning-header.js'
import { errorResponse, plainText } from '../output/writer.js'
import { isTrueParameter } from '../request/query.js'
import type { ApiRequest, ApiResponse, UserInfo } from '../request/request.js'
import { type RequestInfo, requestInfo } from '../request/request-info.js'
import { checkTimeout } from '../request/request-timeout.js'
import { internalError, methodNotAllowed, noSuchResource } from '../request/status.js'
import { verbOf } from '../request/verb.js'
import type { ResourceRequest, ServerParts } from '../server/context.js'
import type { ReadableStore } from '../store/readable.js'
import { isServedPath } from '../verbs/dispatch.js'
import { dispatchConverted } from '../verbs/dispatch-converted.js'

/** A `%` in the path that does not start an escape; Go rejects such a URL. */
const invalidPercent = /^[^?]*%(?![\da-f]{2})/i

/** The state that a request reads from, and the warnings and headers of its response, including errors. */
interface ResponseState extends Pick<ResourceRequest, 'reads' | 'warnings'> {
  readonly headers: Record<string, string>
}

/**
 * Serves requests. Each takes the same steps: its path is parsed, the caller authenticated and authorized, a verb or a
 * document of the server answers, and the answer gets its headers.
 */
export class RequestHandler {
  readonly #services: ServerParts
  readonly #flows: Flows

  constructor(parts: ServerParts, flows: Flows) {
    this.#services = parts
    this.#flows = flows
  }

  /** Serves one request, which reads from `reads`. Errors are responses; it never rejects. */
  async handle(request: ApiRequest, reads: ReadableStore): Promise<ApiResponse> {
    const warnings: string[] = []
    const headers = this.#flows.auditHeaders(request.headers?.['audit-id'])
    const answer = await this.#tryAnswer(request, { reads, warnings, headers })
    Object.assign(answer.headers, headers)
    const warning = warningHeader(warnings)
    if (warning !== undefined) answer.headers.warning = warning
    // The response to a HEAD has the headers of a GET, including the length of its body.
    if (request.method === 'HEAD' && answer.body instanceof Uint8Array) answer.body = new Uint8Array()
    return compressResponse(request, answer)
  }

  async #tryAnswer(request: ApiRequest, serving: ResponseState): Promise<ApiResponse> {
    try {
      return await this.#route(request, serving)
    } catch (error) {
      return errorResponse(statusOf(error).status, request.headers?.accept)
    }
  }

  #route(request: ApiRequest, serving: ResponseState): Promise<ApiResponse> | ApiResponse {
    if (invalidPercent.test(request.path)) return plainText(400, '400 Bad Request')
    const info = requestInfo(request.path)
    if (!isLongRunning(request.method, info)) checkTimeout(info.query)
    const user = this.#admit(request, info, serving.headers)
    if (info.isWatchPath === true && info.target?.subresource !== '') throw noSuchResource()
    if (info.isWatchPath === true && request.method !== 'GET') throw methodNotAllowed()
    if (info.target !== undefined && user !== undefined) {
      const { reads, warnings } = serving
      const resourceRequest = this.#resourceRequest(
        request,
        { ...info, target: info.target },
        { user, reads, warnings },
      )
      if (resourceRequest !== undefined && isServedPath(resourceRequest, request.method))
        return dispatchConverted(
          resourceRequest,
          verbOf(methodFor(request, resourceRequest), { ...info, ...resourceRequest }),
        )
      if (resourceRequest !== undefined && resourceRequest.resource.custom === undefined)
        throw noSuchResource()
    }
    return this.#document(request, info)
  }

  /** Answers a request for a document of the server, such as discovery, instead of a resource. */
  async #document(request: ApiRequest, info: RequestInfo): Promise<ApiResponse> {
    const answer =
      (await nonResource(request, info, this.#services)) ??
      issuerDiscovery(request.method, info.path, this.#services.issuer)
    return answer ?? plainText(404, '404 page not found\n')
  }

  /** Authenticates and authorizes; returns the user. Adds headers, also for an error response. */
  #admit(request: ApiRequest, info: RequestInfo, headers: Record<string, string>): UserInfo | undefined {
    const attributes = identify(request, info, this.#services)
    Object.assign(headers, this.#flows.flowHeaders(attributes, info.path))
    if (attributes !== undefined) checkAllowed(attributes, this.#services)
    return attributes?.user
  }

  #resourceRequest(
    { headers = {}, body, signal }: ApiRequest,
    { target, query }: Required<Pick<RequestInfo, 'target' | 'query'>>,
    { user, reads, warnings }: Pick<ResourceRequest, 'user' | 'reads' | 'warnings'>,
  ): ResourceRequest | undefined {
    const { registry } = this.#services
    const resource = registry.find(target.group, target.version, target.plural)
    if (resource !== undefined) {
      return {
        server: this.#services,
        reads,
        resource,
        target,
        query,
        headers,
        body,
        user,
        signal,
        warnings,
        repeatedKeys: [],
      }
    }
    if (registry.isBuiltIn(target.group)) throw noSuchResource()
    return undefined
  }
}

/** Custom resources answer a HEAD like a GET without a body; built-in resources do not support it. */
function methodFor({ method }: ApiRequest, { resource }: ResourceRequest): string {
  return method === 'HEAD' && resource.custom !== undefined ? 'GET' : method
}

/** Whether a request has no deadline: watches, and streams to and from a container. */
function isLongRunning(method: string, { query, target }: RequestInfo): boolean {
  if (method === 'GET' && isTrueParameter(query.get('watch'))) return true
  return streams.includes(target?.subresource.split('/')[0] ?? '')
}

const streams = ['log', 'exec', 'attach', 'portforward', 'proxy']

/** The error as an answer; an unexpected one is a 500 with its message. */
function statusOf(error: unknown): ApiError {
  return error instanceof ApiError ? error : internalError(error)
}
