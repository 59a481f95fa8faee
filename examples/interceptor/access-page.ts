import { type InterceptContext, Interceptor } from 'vcluster-plugin-sdk'

/**
 * Shows callers their user name and whether they may read a namespace's Secrets:
 * `/plugin/access?namespace=shop`.
 */
export class AccessPage extends Interceptor {
  constructor() {
    super('access-page', [{ verbs: ['get'], nonResourceURLs: ['/plugin/access'] }])
  }

  override async handle(request: Request, ctx: InterceptContext) {
    // vcluster removes the Authorization header, so callers use a header of this plugin.
    const caller = await ctx.identify(request.headers.get('x-plugin-token') ?? '')
    if (!caller) return Response.json({ message: 'send a token of the virtual cluster' }, { status: 401 })
    const namespace = new URL(request.url).searchParams.get('namespace') ?? 'default'
    const { allowed, reason } = await ctx.authorize(caller, { ...listSecrets, namespace })
    return Response.json({ user: caller.user, namespace, mayListSecrets: allowed, reason })
  }
}

const listSecrets = { verb: 'list', group: '', version: 'v1', resource: 'secrets', subresource: '', name: '' }
