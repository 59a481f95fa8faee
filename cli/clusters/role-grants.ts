import type { Client } from '../../sdk/client/client.js'
import { formatKey, keyOf } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { RoleObject } from '../roles/role-objects.js'
import { pluginUser } from './faults.js'

const group = 'rbac.authorization.k8s.io'
/** The name of the roles of programs without a description. */
export const roleName = 'vcluster-plugin-dev'

const rbac = (kind: string, namespaced: boolean): Resource => ({
  ...{ group, version: 'v1', kind, plural: `${kind.toLowerCase()}s`, namespaced },
})

const resources: Readonly<Record<string, Resource>> = {
  Role: rbac('Role', true),
  ClusterRole: rbac('ClusterRole', false),
  RoleBinding: rbac('RoleBinding', true),
  ClusterRoleBinding: rbac('ClusterRoleBinding', false),
}

/** All permissions, for a program without a description. */
const allPermissions: RoleObject = {
  apiVersion: `${group}/v1`,
  kind: 'ClusterRole',
  metadata: { name: roleName },
  rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
}

/** The permissions of the program's user on an embedded cluster. */
export class RoleGrants {
  readonly #client: Client
  /** The roles of the last grant, by kind and key. */
  #granted = new Map<string, RoleObject>()

  /** With a client that has all permissions. */
  constructor(client: Client) {
    this.#client = client
  }

  /** Grants these roles and revokes earlier ones; default all permissions. */
  async grant(roles: readonly RoleObject[] = [allPermissions]): Promise<void> {
    const wanted = new Map(roles.map((role) => [idOf(role), role]))
    for (const role of roles) await this.#put(role)
    for (const [id, role] of this.#granted) if (!wanted.has(id)) await this.#remove(role)
    this.#granted = wanted
  }

  async #put(role: RoleObject): Promise<void> {
    const isKnown = this.#granted.has(idOf(role))
    const objects = isKnown ? [role] : [role, bindingOf(role)]
    for (const object of objects) {
      const resource = resourceOf(object)
      await (isKnown
        ? this.#client.patch(resource, keyOf(object), { type: 'merge', body: object })
        : this.#client.create(resource, object))
    }
  }

  async #remove(role: RoleObject): Promise<void> {
    for (const object of [bindingOf(role), role]) await this.#client.delete(resourceOf(object), keyOf(object))
  }
}

const idOf = (role: RoleObject) => `${role.kind} ${formatKey(keyOf(role))}`

function resourceOf({ kind = '' }: KubeObject): Resource {
  const resource = resources[kind]
  if (!resource) throw new Error(`${kind} is not a kind of RBAC`)
  return resource
}

function bindingOf({ apiVersion, kind, metadata }: RoleObject): KubeObject {
  const binding = {
    roleRef: { apiGroup: group, kind, name: metadata.name },
    subjects: [{ kind: 'User', apiGroup: group, name: pluginUser }],
  }
  return { apiVersion, kind: `${kind}Binding`, metadata, ...binding }
}
