import type { InspectorView, ViewSources } from '../../../engine/inspector/inspector-view.js'
import type { HookView, InterceptorView } from '../../../engine/inspector/model.js'
import { mean, sums } from '../../../engine/inspector/samples.js'
import { apiVersionOf } from '../../../engine/kube/resource.js'
import { ClientHook, hookTypes, methodOf } from '../../hook/client-hook.js'
import { Interceptor } from '../../hook/interceptor.js'
import type { InterceptorRule } from '../../hook/interceptor-rule.js'
import type { Registrations } from '../registrations.js'

/** Shows the hooks and interceptors of a plugin. */
export function hooksView(registered: Registrations): InspectorView {
  return {
    overview: async (sources) => ({
      hooks: await hookViews(registered.of(ClientHook), sources),
      interceptors: await interceptorViews(registered.of(Interceptor), sources),
    }),
  }
}

/** The calls of each hook with each of its types. */
async function hookViews(hooks: readonly ClientHook[], { samples }: ViewSources): Promise<HookView[]> {
  const [counted, took] = await Promise.all([samples('hook_calls_total'), samples('hook_duration_seconds')])
  return hooks.flatMap((hook) =>
    hookTypes
      .filter((type) => methodOf(hook, type))
      .map((type) => {
        const labels = { hook: hook.name, type }
        const { apiVersion, kind } = { apiVersion: apiVersionOf(hook.resource), kind: hook.resource.kind }
        const calls = sums(counted, labels, 'result')
        return { name: hook.name, apiVersion, kind, type, calls, meanMs: mean(took, labels) }
      }),
  )
}

/** The requests of each interceptor. */
async function interceptorViews(
  interceptors: readonly Interceptor[],
  { samples }: ViewSources,
): Promise<InterceptorView[]> {
  const [answers, took] = await Promise.all([
    samples('interceptor_requests_total'),
    samples('interceptor_duration_seconds'),
  ])
  return interceptors.map(({ name, rules }) => ({
    name,
    rules: rules.map(ruleText),
    answers: sums(answers, { interceptor: name }, 'code'),
    meanMs: mean(took, { interceptor: name }),
  }))
}

/** `get, list configmaps`, `delete deployments.apps`, `get /version`. */
function ruleText({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: InterceptorRule) {
  const kinds = apiGroups.flatMap((group) => resources.map((one) => (group === '' ? one : `${one}.${group}`)))
  const names = resourceNames.length > 0 ? ` ${resourceNames.join(', ')}` : ''
  return `${verbs.join(', ')} ${[...kinds, ...nonResourceURLs].join(', ')}${names}`
}
