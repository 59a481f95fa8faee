import { deployments, secrets, serviceAccounts, services } from '../../engine/kube/builtin.js'
import { roleBindings, roles } from '../../engine/kube/builtin-policies.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import type { PolicyRule } from '../manager/policy-rule.js'

/** The containers that may be managers of Modules, and the namespace in which they run. */
export interface ContainersOptions {
  /**
   * The images that may run. An entry is a whole reference, such as `registry.example/modules/web@sha256:…`, or the
   * beginning of references if it ends with `/`, `:` or `@`.
   */
  readonly allowImages: readonly string[]
  /**
   * The namespace of the containers. Users of Modules must not have access to that namespace: a user who may create
   * Pods there has the permissions of all containers.
   */
  readonly namespace: string
  /**
   * The permissions that a container may ask for, by their names in `spec.custom.permissions`. They apply in
   * the namespace of the Module. Default: none.
   */
  readonly permissions?: Readonly<Record<string, readonly ContainerRule[]>>
  /** The Secrets in `namespace` that a Module may name in `spec.custom.imagePullSecrets`. Default: none. */
  readonly imagePullSecrets?: readonly string[]
  /** The URL of a container's Service. Default: `http://<name>.<namespace>.svc:8080`. */
  readonly address?: (service: { readonly name: string; readonly namespace: string }) => string
  /** Makes the token of a container. Default: 256 random bits. */
  readonly newToken?: () => string
}

/** A permission rule of a container. */
export type ContainerRule = Pick<PolicyRule, 'group' | 'resource' | 'verbs'>

const verbs = ['create', 'delete', 'get', 'patch']

/** The permissions for containers. An operator can give only the permissions that it has. */
export function containerPermissions({
  namespace,
  permissions = {},
}: ContainersOptions): ControllerPermission[] {
  const rules = Object.values(permissions).flat()
  const objects = [deployments, secrets, serviceAccounts, services]
  return [
    ...objects.map((resource) => ({ resource, verbs, namespace }) as ControllerPermission),
    ...(rules.length > 0 ? [roles, roleBindings].map((resource) => ({ resource, verbs })) : []),
    ...rules.map(({ group, resource: plural, verbs: given }) => ({
      resource: { group, version: 'v1', kind: plural, plural, namespaced: true },
      verbs: given,
    })),
  ]
}
