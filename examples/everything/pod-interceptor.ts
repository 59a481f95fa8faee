import { type InterceptContext, Interceptor, type Pod } from 'vcluster-plugin-sdk'
import type { Config } from './config.js'

/** Answers reads of one Pod with a Pod of another name, whether the Pod exists or not. */
export class PodInterceptor extends Interceptor {
  readonly #answer: string

  constructor({ answeredPod, answer }: Config) {
    super('pod-interceptor', [
      { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [answeredPod] },
    ])
    this.#answer = answer
  }

  override handle(request: Request, ctx: InterceptContext) {
    const { attributes } = ctx
    // The rule also matches the Pod's log. A forwarded request has the permissions of an anonymous user.
    if ('path' in attributes || attributes.subresource !== '') return ctx.forward(request)
    const { namespace } = attributes
    const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name: this.#answer } }
    return Response.json(pod)
  }
}
