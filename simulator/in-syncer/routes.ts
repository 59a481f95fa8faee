import { requestAttributes } from '../../sdk/vcluster/hook/request-attributes.js'
import type { NameTable, RuleTable, VerbTable } from '../../sdk/vcluster/hook/rule-table.js'

/**
 * The interceptor for a request. An exact group, resource, verb or name comes before `*`. Under the verb `*` only rules
 * without names match. See `interceptorPortForResource` in `pkg/plugin/v2/plugin.go` @ v0.36.1 of vcluster.
 */
export function routeOf<T extends { name: string }>(
  { groups, paths }: RuleTable<T>,
  request: Pick<Request, 'method' | 'url'>,
): T | undefined {
  const attributes = requestAttributes(request)
  if ('path' in attributes)
    return ofPath(paths, attributes.path)?.get('*') ?? ofPath(paths, attributes.path)?.get(attributes.verb)
  for (const group of [attributes.group, '*']) {
    for (const resource of [attributes.resource, '*']) {
      const verbs = groups.get(group)?.get(resource)
      const names = verbs?.get(attributes.verb)
      const handler = names?.get(attributes.name) ?? names?.get('*') ?? verbs?.get('*')?.get('*')
      if (handler !== undefined) return handler
    }
  }
  return undefined
}

/** The rules of the first path that matches, even if its methods do not match. */
function ofPath<T>(paths: VerbTable<T>, path: string): NameTable<T> | undefined {
  for (const [routePath, methods] of paths) {
    const fits = routePath.endsWith('*') ? path.startsWith(routePath.slice(0, -1)) : path === routePath
    if (fits) return methods
  }
  return undefined
}

/** Whether vcluster's proxy removes a header: the headers about the caller. */
export const isRemovedHeader = (header: string): boolean =>
  /^(authorization|impersonate-.*|x-forwarded-for)$/i.test(header)
