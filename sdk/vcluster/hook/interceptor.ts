import type { Caller } from '../../engine/kube/caller.js'
import { PluginError } from '../../engine/kube/error.js'
import type { Logger } from '../../engine/observe/logger.js'
import { checkRule, type InterceptorRule } from './interceptor-rule.js'
import type { RequestAttributes } from './request-attributes.js'

/** Options of {@link InterceptContext.forward}. */
export interface ForwardOptions {
  /**
   * The user of the forwarded request; default `system:anonymous`. `'plugin'` is the plugin itself, which may do
   * everything: then everyone who reaches the virtual cluster's API may do everything, too.
   */
  as?: Caller | 'plugin'
}

/** Whether a user may do something. */
export interface AccessAnswer {
  readonly allowed: boolean
  /** The reason in the words of the virtual cluster's authorizer; may be empty. */
  readonly reason: string
}

/** The argument of an interceptor in addition to the request: facts and functions. */
export interface InterceptContext {
  readonly logger: Logger
  /** The verb and resource of the request, as an API server reads them from its method and path. */
  readonly attributes: RequestAttributes
  /**
   * Passes a request on to the virtual cluster's API server, watches and upgrades (exec, port-forward)
   * included, and returns its response. Pass the original request, or one that replaces it. Responds with 413
   * if the body is longer than an API server accepts (3 MiB).
   */
  forward(request: Request, options?: ForwardOptions): Promise<Response>
  /**
   * Asks the virtual cluster for the user of a bearer token (TokenReview); undefined if the token is unknown or empty.
   */
  identify(token: string): Promise<Caller | undefined>
  /** Asks the virtual cluster whether a user may make the request (SubjectAccessReview). */
  authorize(caller: Caller, attributes?: RequestAttributes): Promise<AccessAnswer>
}

/**
 * Answers requests in place of the virtual cluster's API server. Works only inside vcluster's container, since 0.20.
 *
 * **Everyone who reaches the virtual cluster's API reaches an interceptor, even without credentials.**
 * vcluster does not authenticate a request before it hands it over, and removes `Authorization` and
 * `Impersonate-*` from it. See `WithInterceptors` in `pkg/plugin/v2/plugin.go` @ v0.36.1 of vcluster.
 *
 * @example
 * ```ts
 * class KeepNamespaces extends Interceptor {
 *   override handle(): Response {
 *     throw new ApiError({ code: 403, reason: 'Forbidden', message: 'namespaces are kept' })
 *   }
 * }
 * const rule = { verbs: ['delete'], apiGroups: [''], resources: ['namespaces'] }
 * plugin.register(new KeepNamespaces('keep-namespaces', [rule]))
 * ```
 */
export abstract class Interceptor {
  /** The name of the interceptor for vcluster, logs and metrics. */
  readonly name: string
  readonly rules: readonly InterceptorRule[]

  /** Throws `PluginError` with code `INVALID_RULE`, in vcluster's words, if vcluster would refuse a rule. */
  constructor(name: string, rules: readonly InterceptorRule[]) {
    this.name = name
    this.rules = rules
    const problem = problemOf(name, rules)
    if (problem !== undefined) throw new PluginError('INVALID_RULE', `interceptor ${name}: ${problem}`)
  }

  /**
   * Answers a request. A thrown `ApiError` is sent as its Status; any other error, and one of the host, is
   * logged and sent as 500.
   * `request.signal` aborts when the caller has gone. The interceptor runs on every replica, also on replicas that do
   * not lead.
   */
  abstract handle(request: Request, ctx: InterceptContext): Response | Promise<Response>
}

/** The form of an interceptor's name, which is sent in a header. */
const nameForm = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/

function problemOf(name: string, rules: readonly InterceptorRule[]): string | undefined {
  if (!nameForm.test(name)) return 'its name has other than letters, digits, ".", "_" and "-"; choose another'
  if (rules.length === 0) return 'it has no rules, so it would never be asked; give it one'
  for (const rule of rules) {
    const problem = checkRule(rule, name)
    if (problem !== undefined) return problem
  }
  return undefined
}
