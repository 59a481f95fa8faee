import type { Client } from '../../sdk/engine/client/client.js'
import { namespaces } from '../../sdk/engine/kube/builtin.js'
import { isAlreadyExists } from '../../sdk/engine/kube/error.js'
import { formatKey, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { RoleObject } from '../roles/role-objects.js'
import { pluginUser } from './faults.js'

const group = 'rbac.authorization.k8s.io'
/** The name of the roles of programs without a description. */
export const roleName = 'vcluster-plugin-dev'

interface Binding extends KubeObject {
  readonly subjects?: readonly { readonly kind: string; readonly name: string }[]
}

const rbac = (kind: string, namespaced: boolean): Resource => ({
  group,
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced,
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
  /** The roles of the last grant, by kind and key. Undefined before the first one. */
  #granted: Map<string, RoleObject> | undefined

  /** With a client that has all permissions. */
  constructor(client: Client) {
    this.#client = client
  }

  /** Grants these roles and revokes earlier ones, also those of an earlier run; default all permissions. */
  async grant(roles: readonly RoleObject[] = [allPermissions]): Promise<void> {
    if (!this.#granted) await this.#removeBindings()
    const granted = this.#granted ?? new Map<string, RoleObject>()
    const newRoles = new Map(roles.map((role) => [idOf(role), role]))
    for (const role of roles) await this.#put(role, granted)
    for (const [id, role] of granted) if (!newRoles.has(id)) await this.#remove(role)
    this.#granted = newRoles
  }

  async #put(role: RoleObject, granted: ReadonlyMap<string, RoleObject>): Promise<void> {
    await this.#makeNamespace(role.metadata.namespace)
    const objects = granted.has(idOf(role)) ? [role] : [role, bindingOf(role)]
    for (const object of objects) {
      const resource = resourceOf(object)
      await this.#client.create(resource, object).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error
        return this.#client.patch(resource, keyOf(object), { type: 'merge', body: object })
      })
    }
  }

  /** A Role needs its namespace. An embedded cluster has only those that were created in it. */
  async #makeNamespace(name: string | undefined): Promise<void> {
    if (name === undefined) return
    await this.#client.create(namespaces, { metadata: { name } }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error
    })
  }

  async #remove(role: RoleObject): Promise<void> {
    for (const object of [bindingOf(role), role]) await this.#client.delete(resourceOf(object), keyOf(object))
  }

  /** In a cluster whose objects were kept, the program has the permissions of the last run. */
  async #removeBindings(): Promise<void> {
    for (const kind of ['RoleBinding', 'ClusterRoleBinding']) {
      const resource = resourceOf({ kind })
      const { items } = await this.#client.list<Binding>(resource)
      for (const binding of items.filter(isOfProgram)) await this.#client.delete(resource, keyOf(binding))
    }
  }
}

const idOf = (role: RoleObject) => `${role.kind} ${formatKey(keyOf(role))}`

function isOfProgram({ subjects = [] }: Binding): boolean {
  return subjects.some(({ kind, name }) => kind === 'User' && name === pluginUser)
}

function resourceOf({ kind = '' }: { readonly kind?: string | undefined }): Resource {
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
