import { hookTypes, methodOf } from '../../vcluster/hook/client-hook.js'
import type { InterceptorRule } from '../../vcluster/hook/interceptor-rule.js'
import { apiVersionOf } from '../kube/resource.js'
import type { Inspected } from './inspected.js'
import type { HookView, InterceptorView, MethodView } from './model.js'
import { mean, type Read, sums } from './read-metrics.js'

/** The calls of each hook with each of its types. */
export function hookViews(inspected: Inspected, read: Read): HookView[] {
  return inspected.hooks().flatMap((hook) =>
    hookTypes
      .filter((type) => methodOf(hook, type))
      .map((type) => {
        const labels = { hook: hook.name, type }
        const calls = sums(read.hookCalls, labels, 'result')
        const { apiVersion, kind } = { apiVersion: apiVersionOf(hook.resource), kind: hook.resource.kind }
        return { name: hook.name, apiVersion, kind, type, calls, meanMs: mean(read.hookSeconds, labels) }
      }),
  )
}

/** The requests of each interceptor. */
export function interceptorViews(inspected: Inspected, read: Read): InterceptorView[] {
  return inspected.interceptors().map(({ name, rules }) => ({
    name,
    rules: rules.map(ruleText),
    answers: sums(read.answers, { interceptor: name }, 'code'),
    meanMs: mean(read.answerSeconds, { interceptor: name }),
  }))
}

/** The methods that the program serves, with their calls. */
export function methodViews({ calls }: Inspected, read: Read): MethodView[] {
  return [...(calls?.methods ?? [])].map(([name, { windows, errors }]) => ({
    name,
    calls: sums(read.methodCalls, { method: name }, 'code'),
    took: { p50Ms: windows.quantileMs(0.5), p99Ms: windows.quantileMs(0.99) },
    errors: errors.all,
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
