import type { ControllerPermission } from '../../operator/controller/controller-permission.js'

/** The name of the release in a rendering for permissions: a text that charts and values do not contain. */
export const exampleReleaseName = 'any-release'
/** The namespace of that release if it is not known. */
export const exampleNamespace = 'any-namespace'

/**
 * Permissions from a rendering of the example release that hold for every release of the chart: those restricted to a
 * name with the name or the namespace of that release lose the restriction, because RBAC has no patterns of names.
 * Verbs that give rights of others are left out of them, because without names they give everything: with `bind` a
 * program could give itself every role. A binding to a role of the chart needs no `bind`, because the program has the
 * rules of that role.
 */
export function forAllReleases(permissions: readonly ControllerPermission[]): ControllerPermission[] {
  return permissions.flatMap((permission) => {
    const { names = [], ...unrestricted } = permission
    if (!names.some(isOfExample)) return permission
    const verbs = permission.verbs.filter((verb) => !givesOthersRights(verb, permission))
    return verbs.length === 0 ? [] : { ...unrestricted, verbs }
  })
}

const isOfExample = (name: string) => name.includes(exampleReleaseName) || name.includes(exampleNamespace)

/** Verbs by which a user gets, gives or vouches for rights. */
const rightsVerbs = new Set(['bind', 'escalate', 'impersonate', 'use', 'approve', 'sign', 'attest'])
/** The resources to which such verbs apply; `*` means all. */
const rightsResources = new Set([
  'roles',
  'clusterroles',
  'serviceaccounts',
  'users',
  'groups',
  'signers',
  '*',
])

function givesOthersRights(
  verb: string,
  { resource: { plural }, subresource }: ControllerPermission,
): boolean {
  const isToken = plural === 'serviceaccounts' && (subresource === 'token' || subresource === '*')
  return rightsVerbs.has(verb) || isToken || (verb === '*' && rightsResources.has(plural))
}
