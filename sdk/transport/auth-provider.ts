import { PluginError } from '../kube/error.js'
import type { AuthProvider } from './kubeconfig.js'

interface Authenticator {
  applyAuthentication(
    user: { name: string; authProvider: AuthProvider },
    options: { headers: Record<string, string> },
  ): Promise<void>
}

// Loaded when a kubeconfig asks for it: together with what it imports the package takes half a second to load.
const load: Record<string, () => Promise<Authenticator>> = {
  oidc: async () => new (await import('@kubernetes/client-node/dist/oidc_auth.js')).OpenIDConnectAuth(),
  gcp: async () => new (await import('@kubernetes/client-node/dist/gcp_auth.js')).GoogleCloudPlatformAuth(),
  azure: async () => new (await import('@kubernetes/client-node/dist/azure_auth.js')).AzureAuth(),
}

const loaded = new WeakMap<AuthProvider, Promise<Authenticator>>()

/**
 * The `Authorization` header of a kubeconfig's `auth-provider`. The provider keeps what it was given in
 * `provider.config` and refreshes it there when it expired.
 *
 * @throws `PluginError` with code `INVALID_KUBECONFIG` for a provider that is not known
 */
export async function authorizationFrom(provider: AuthProvider, source: string): Promise<string | undefined> {
  const make = load[provider.name]
  if (!make) {
    throw new PluginError(
      'INVALID_KUBECONFIG',
      `${source} uses the auth-provider "${provider.name}", which is not supported; ` +
        `use one of ${Object.keys(load).join(', ')} or an exec plugin.`,
    )
  }
  const authenticator = loaded.get(provider) ?? make()
  loaded.set(provider, authenticator)
  const options = { headers: {} as Record<string, string> }
  await (await authenticator).applyAuthentication({ name: provider.name, authProvider: provider }, options)
  return options.headers.Authorization
}
