import { PluginError } from './error.js'
import type { Resource } from './resource.js'

/**
 * Throws a `PluginError` `INVALID_REGISTRATION` for a kind that is missing, as in a program whose types are not checked
 * or whose files import each other. `user` is what was made without it, such as `the syncer web`.
 */
export function requireResource(user: string, resource: Pick<Resource, 'kind' | 'plural'> | undefined): void {
  if (resource?.kind && resource.plural) return
  // Not the value itself, which may be large, or refer to itself.
  const given =
    resource === undefined
      ? 'undefined, as where two files import each other'
      : 'a value without kind and plural'
  throw new PluginError(
    'INVALID_REGISTRATION',
    `${user} has no kind: its resource is ${given}; pass one such as configMaps, or what defineKind returns`,
  )
}
