import { type OpenObject, recordOf } from '../../base/object.js'
import type { ServerParts } from '../../server/context.js'
import { reasonsText, violations } from './evaluate.js'
import { checkedPod } from './pod-shape.js'
import { isStricter, levelText, type Policy } from './policy.js'

/** Warns of existing pods that the new level of a namespace would not allow; `EvaluatePodsInNamespace`. */
export function namespaceWarnings(
  server: ServerParts,
  namespace: string,
  { after, before }: { readonly after: Policy; readonly before: Policy },
): string[] {
  const [next, last] = [after.enforce, before.enforce]
  if (next.level === 'privileged') return []
  if (next.version === last.version && !isStricter(next.level, last.level)) return []
  const pods = new Map<string, string[]>()
  for (const { object } of server.store.collection('pods').scan(`${namespace}/`)) {
    const { metadata, spec } = object as OpenObject
    const podViolations = violations(checkedPod(metadata.annotations ?? {}, recordOf(spec)), next)
    if (podViolations.length === 0) continue
    const reasons = reasonsText(podViolations)
    pods.set(reasons, [...(pods.get(reasons) ?? []), metadata.name ?? ''])
  }
  if (pods.size === 0) return []
  const first = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(next)}"`
  return [first, ...[...pods].map(([reasons, names]) => `${namesText(names)}: ${reasons}`).sort()]
}

/** The first name, and the number of the others. */
function namesText(names: readonly string[]): string {
  const [first = ''] = [...names].sort()
  const others = names.length - 1
  if (others === 0) return first
  return `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`
}
