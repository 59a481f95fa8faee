import type { ControllerPermission } from '../../operator/controller/controller-permission.js'

/** The name of the release in a rendering for permissions: a text that charts and values do not contain. */
export const exampleReleaseName = 'any-release'
/** The namespace of that release if it is not known. */
export const exampleNamespace = 'any-namespace'

/**
 * Permissions from a rendering of the example release that hold for every release of the chart: those restricted to a
 * name with the name or the namespace of that release lose the restriction, because RBAC has no patterns of names.
 * Those to bind such a role are left out: it is a role of the chart, whose rules the program has itself, and without a
 * name the program could bind every role.
 */
export function forAllReleases(permissions: readonly ControllerPermission[]): ControllerPermission[] {
  return permissions.flatMap((permission) => {
    const { names = [], ...unrestricted } = permission
    if (!names.some(isOfExample)) return permission
    return permission.verbs.includes('bind') ? [] : unrestricted
  })
}

const isOfExample = (name: string) => name.includes(exampleReleaseName) || name.includes(exampleNamespace)
