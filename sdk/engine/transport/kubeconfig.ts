/**
 * The address of a cluster and our credentials there: one context of a kubeconfig file, resolved. See
 * https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/
 */
export interface Kubeconfig {
  /** The origin of the kubeconfig in words, for messages. */
  source: string
  /** The API server's URL, with its path prefix if it has one. */
  server: string
  /** The context's namespace; undefined if it names none. */
  namespace?: string
  /** The certificate authority as a file. */
  caFile?: string
  /** The certificate authority as base64 of PEM; it has precedence over `caFile`. */
  caData?: string
  /** The name to expect in the server's certificate instead of the URL's host. */
  tlsServerName?: string
  /** Accepts any server certificate; default false. */
  skipTlsVerify?: boolean
  /** An `http:` or `https:` proxy to reach the server through. */
  proxyUrl?: string
  /** The cluster's extension `client.authentication.k8s.io/exec`, any JSON, for the exec plugins that want it. */
  execConfig?: unknown
  user: KubeconfigUser
}

/** The credentials of a kubeconfig's user. Files are absolute paths, and are read again while the program runs. */
export interface KubeconfigUser {
  token?: string
  /** A file with a token, which is used instead of `token` while it can be read. */
  tokenFile?: string
  username?: string
  password?: string
  /** The client certificate as a file, or as base64 of PEM, which has precedence. */
  certFile?: string
  certData?: string
  /** The client certificate's key as a file, or as base64 of PEM, which has precedence. */
  keyFile?: string
  keyData?: string
  exec?: ExecPlugin
  authProvider?: AuthProvider
  impersonate?: Impersonation
}

/** A program that prints credentials; see https://kubernetes.io/docs/reference/config-api/client-authentication.v1/ */
export interface ExecPlugin {
  apiVersion: string
  command: string
  args: string[]
  env: Record<string, string>
  /** Whether the program receives the cluster's data. */
  provideClusterInfo: boolean
  /** `Always` cannot work here, because a plugin has no terminal. */
  interactiveMode: string
  /** The kubeconfig's hint on how to install the program when it is missing. */
  installHint: string
}

/** An older kind of credential program, by name: `oidc`, `gcp` or `azure`. */
export interface AuthProvider {
  name: string
  config: Record<string, unknown>
}

/**
 * The user to impersonate; see
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation
 */
export interface Impersonation {
  user: string
  uid?: string
  groups: string[]
  extra: Record<string, string[]>
}
