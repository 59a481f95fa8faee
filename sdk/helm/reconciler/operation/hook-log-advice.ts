import type { ReleaseHook } from '../../render/release-hook.js'

/** The object of a hook; the namespace is left out if it is not known. */
export interface HookObject {
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

/** How to see the log of a hook that failed. With the policy `hook-failed` its object is deleted at once. */
export function logAdvice(
  { delete_policies }: Pick<ReleaseHook, 'delete_policies'>,
  { kind, name, namespace }: HookObject,
): string {
  if (delete_policies?.includes('hook-failed'))
    return 'its log is deleted with it: to see it, remove hook-failed from its helm.sh/hook-delete-policy'
  const where = namespace === undefined ? '' : ` -n ${namespace}`
  return `see: kubectl logs${where} ${kind.toLowerCase()}/${name}`
}
