import { ApiError, type InterceptContext, Interceptor } from 'vcluster-plugin-sdk'

/**
 * Rejects the deletion of certain namespaces by any user. It grants nothing, so it does not identify the
 * user.
 */
export class KeepNamespaces extends Interceptor {
  constructor(names: readonly string[]) {
    super('keep-namespaces', [
      { verbs: ['delete'], apiGroups: [''], resources: ['namespaces'], resourceNames: names },
    ])
  }

  override handle(request: Request, { logger }: InterceptContext): Response {
    const { pathname } = new URL(request.url)
    logger.info({ pathname }, 'a namespace was kept')
    throw new ApiError({ code: 403, reason: 'Forbidden', message: 'this namespace is kept by a plugin' })
  }
}
