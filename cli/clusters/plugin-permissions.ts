import type { Client } from '../../sdk/client/client.js'
import { formatKey, keyOf } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { PluginDescription } from '../../sdk/plugin/description.js'
import type { Mode } from '../../sdk/plugin/mode.js'
import { permissionsOf } from '../../sdk/plugin/permissions.js'
import { type RoleObject, roleObjects } from '../roles/role-objects.js'
import { pluginUser } from './faults.js'

/** Options of {@link PluginPermissions}. */
export interface PluginPermissionsOptions {
  /** A client of the host cluster with all permissions. */
  client: Client
  targetNamespace: string
  mode: Mode
}

const group = 'rbac.authorization.k8s.io'
const roleName = 'vcluster-plugin-dev'

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

/** The permissions of the plugin's user on the embedded host cluster: exactly those that `manifest` prints. */
export class PluginPermissions {
  readonly #options: PluginPermissionsOptions
  /** The roles of the last grant, by kind and key. */
  #granted = new Map<string, RoleObject>()

  constructor(options: PluginPermissionsOptions) {
    this.#options = options
  }

  /** Grants the permissions for this description and revokes earlier ones; `undefined` grants all permissions. */
  async grant(description: PluginDescription | undefined): Promise<void> {
    const roles = description ? this.#rolesFor(description) : [allPermissions]
    const wanted = new Map(roles.map((role) => [idOf(role), role]))
    for (const role of roles) await this.#put(role)
    for (const [id, role] of this.#granted) if (!wanted.has(id)) await this.#remove(role)
    this.#granted = wanted
  }

  #rolesFor(description: PluginDescription): RoleObject[] {
    const { mode, targetNamespace: namespace } = this.#options
    return roleObjects(permissionsOf(description, { mode }), { name: roleName, side: 'host', namespace })
  }

  async #put(role: RoleObject): Promise<void> {
    const isKnown = this.#granted.has(idOf(role))
    const objects = isKnown ? [role] : [role, bindingOf(role)]
    for (const object of objects) {
      const resource = resourceOf(object)
      await (isKnown
        ? this.#options.client.patch(resource, keyOf(object), { type: 'merge', body: object })
        : this.#options.client.create(resource, object))
    }
  }

  async #remove(role: RoleObject): Promise<void> {
    for (const object of [bindingOf(role), role])
      await this.#options.client.delete(resourceOf(object), keyOf(object))
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
