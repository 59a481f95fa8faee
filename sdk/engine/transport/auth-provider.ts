import type { RequestOptions } from 'node:https'
import type { KubeConfig } from '@kubernetes/client-node'
import { PluginError } from '../kube/error.js'
import type { AuthProvider } from './kubeconfig.js'

/** The providers that client-go had and client-node still has. */
const supportedProviders = ['oidc', 'gcp', 'azure']

/** The loaded client of each provider, which remembers until when a token is valid. */
const loadedClients = new WeakMap<AuthProvider, Promise<KubeConfig>>()

/**
 * The `Authorization` header of a kubeconfig's `auth-provider`. The provider keeps its token in `provider.config`, and
 * refreshes it there when it has expired.
 *
 * @throws `PluginError` with code `INVALID_KUBECONFIG` for an unknown provider, or if the package that implements the
 *   provider is not installed
 */
export async function authorizationFrom(provider: AuthProvider, source: string): Promise<string | undefined> {
  if (!supportedProviders.includes(provider.name)) {
    throw new PluginError(
      'INVALID_KUBECONFIG',
      `${source} uses the auth-provider "${provider.name}", which is not supported; ` +
        `use one of ${supportedProviders.join(', ')} or an exec plugin.`,
    )
  }
  const kubeconfig = loadedClients.get(provider) ?? loadClient(provider, source)
  loadedClients.set(provider, kubeconfig)
  const options: RequestOptions = {}
  await (await kubeconfig).applyToHTTPSOptions(options)
  const { Authorization } = Object(options.headers) as { Authorization?: string }
  return Authorization
}

/** Loads the client of a provider from `@kubernetes/client-node`, which a project installs only if it needs it. */
async function loadClient(authProvider: AuthProvider, source: string): Promise<KubeConfig> {
  const { KubeConfig } = await import('./client-node.js').catch((cause: unknown) => {
    throw new PluginError(
      'INVALID_KUBECONFIG',
      `${source} uses the auth-provider "${authProvider.name}", which needs a package that cannot be loaded: ` +
        'run npm install @kubernetes/client-node@1 and bundle the program again, or use an exec plugin.',
      { cause },
    )
  })
  const kubeconfig = new KubeConfig()
  // Only the header of the result is used, so any server will do.
  const cluster = { name: 'cluster', server: 'https://localhost', skipTLSVerify: false }
  kubeconfig.loadFromClusterAndUser(cluster, { name: authProvider.name, authProvider })
  return kubeconfig
}
