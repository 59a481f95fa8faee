import type { Client } from '../../sdk/engine/client/client.js'
import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'
import type { Mode } from '../../sdk/vcluster/plugin/mode.js'
import { permissionsOf } from '../../sdk/vcluster/plugin/permissions.js'
import { roleObjects } from '../roles/role-objects.js'
import { RoleGrants, roleName } from './role-grants.js'

/** Options of {@link PluginPermissions}. */
export interface PluginPermissionsOptions {
  /** A client of the host cluster with all permissions. */
  client: Client
  targetNamespace: string
  mode: Mode
}

/** The permissions of the plugin's user on the embedded host cluster: exactly those that `manifest` prints. */
export class PluginPermissions {
  readonly #options: PluginPermissionsOptions
  readonly #grants: RoleGrants

  constructor(options: PluginPermissionsOptions) {
    this.#options = options
    this.#grants = new RoleGrants(options.client)
  }

  /** Grants the permissions for this description and revokes earlier ones; `undefined` grants all permissions. */
  async grant(description: PluginDescription | undefined): Promise<void> {
    const { mode, targetNamespace: namespace } = this.#options
    const permissions = description && permissionsOf(description, { mode })
    await this.#grants.grant(
      permissions && roleObjects(permissions, { name: roleName, side: 'host', namespace }),
    )
  }
}
