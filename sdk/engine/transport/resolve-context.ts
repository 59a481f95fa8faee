import { isAbsolute, resolve } from 'node:path'
import { beginningOf, fewNames } from '../kube/few-names.js'
import { memberOf } from '../kube/json-object.js'
import { trimEndSlashes } from '../kube/trim-slashes.js'
import type { ExecPlugin, Impersonation, Kubeconfig, KubeconfigUser } from './kubeconfig.js'
import { type KubeconfigNode, kubeconfigError } from './kubeconfig-text.js'

/** The source of a kubeconfig, and the context to use. */
export interface KubeconfigOrigin {
  source: string
  /** The folder to which paths are relative; if undefined, relative paths stay unchanged. */
  directory: string | undefined
  context: string | undefined
}

/** One context of a kubeconfig with its cluster and user; throws `INVALID_KUBECONFIG` if something is missing. */
export function resolveContext(document: KubeconfigNode, origin: KubeconfigOrigin): Kubeconfig {
  const { source } = origin
  const name = origin.context ?? document.text('current-context')
  if (!name) {
    throw kubeconfigError(source, 'has no current-context; set one with `kubectl config use-context NAME`.')
  }
  const context = document.named('contexts', name)?.child('context')
  if (!context) {
    const names = document.nodes('contexts').map((one) => one.text('name') ?? '')
    throw kubeconfigError(source, `has no context "${beginningOf(name)}"; it has: ${fewNames(names)}.`)
  }
  const cluster = referredEntry(document, 'cluster', context.text('cluster'), name)
  const user = referredEntry(document, 'user', context.text('user'), name)
  const namespace = context.text('namespace')
  return {
    source,
    ...clusterFields(cluster, origin, name),
    ...(namespace && { namespace }),
    ...execConfig(cluster, user),
    user: user ? userFields(user, origin) : {},
  }
}

function referredEntry(
  document: KubeconfigNode,
  kind: 'cluster' | 'user',
  name: string | undefined,
  context: string,
) {
  if (!name) return undefined
  const entry = document.named(`${kind}s`, name)
  if (entry) return entry.child(kind)
  throw kubeconfigError(
    document.source,
    `has no ${kind} "${beginningOf(name)}", which context "${beginningOf(context)}" refers to; add it or choose another context.`,
  )
}

/** A server without a user and a password: they are not used, and logs show the server. */
function withoutUser(server: string | undefined): string | undefined {
  const url = server === undefined || !URL.canParse(server) ? undefined : new URL(server)
  if (!url?.username && !url?.password) return server
  url.username = ''
  url.password = ''
  return url.href
}

function clusterFields(cluster: KubeconfigNode | undefined, origin: KubeconfigOrigin, context: string) {
  const server = withoutUser(cluster?.text('server'))
  if (!cluster || !server) {
    throw kubeconfigError(
      origin.source,
      `names no server for context "${beginningOf(context)}"; add cluster.server.`,
    )
  }
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    // A text that is not a URL may hold a password.
    const quoted = server.includes('@') ? '' : `: "${beginningOf(server)}"`
    throw kubeconfigError(origin.source, `has a server that is not an http(s) URL${quoted}.`)
  }
  return compact({
    server: trimEndSlashes(server),
    caFile: pathOf(cluster.text('certificate-authority'), origin),
    caData: cluster.text('certificate-authority-data'),
    tlsServerName: cluster.text('tls-server-name'),
    skipTlsVerify: cluster.flag('insecure-skip-tls-verify') || undefined,
    proxyUrl: proxyUrlOf(cluster, origin),
  })
}

/** The name of the extension of a cluster with the configuration of exec plugins. */
const execExtension = 'client.authentication.k8s.io/exec'

/**
 * The configuration of exec plugins in the cluster's extensions, if the plugin of the user wants it. It may be any
 * JSON: only the plugin reads it. Extensions of other programs are not checked.
 */
function execConfig(cluster: KubeconfigNode | undefined, user: KubeconfigNode | undefined) {
  if (!user?.child('exec')?.flag('provideClusterInfo')) return {}
  const entry = cluster?.list('extensions').find((one) => memberOf(one, 'name') === execExtension)
  const extension = memberOf(entry, 'extension') ?? undefined
  return extension === undefined ? {} : { execConfig: extension }
}

/** The URL of the proxy. The error about an invalid URL does not quote the URL, which may contain a password. */
function proxyUrlOf(cluster: KubeconfigNode, { source }: KubeconfigOrigin): string | undefined {
  const url = cluster.text('proxy-url')
  if (!url || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return url
  throw kubeconfigError(source, 'has a proxy-url that is not an http: or https: URL.')
}

function userFields(user: KubeconfigNode, origin: KubeconfigOrigin): KubeconfigUser {
  const authProvider = user.child('auth-provider')
  return compact({
    token: user.text('token'),
    tokenFile: pathOf(user.text('tokenFile') ?? user.text('token-file'), origin),
    username: user.text('username'),
    password: user.text('password'),
    certFile: pathOf(user.text('client-certificate'), origin),
    certData: user.text('client-certificate-data'),
    keyFile: pathOf(user.text('client-key'), origin),
    keyData: user.text('client-key-data'),
    exec: execFields(user.child('exec'), origin),
    authProvider: authProvider && {
      name: authProvider.text('name') ?? '',
      config: authProvider.child('config')?.record() ?? {},
    },
    impersonate: impersonation(user),
  })
}

function execFields(exec: KubeconfigNode | undefined, origin: KubeconfigOrigin): ExecPlugin | undefined {
  if (!exec) return undefined
  const command = exec.text('command')
  if (!command) throw kubeconfigError(origin.source, 'has an exec user without a command; add exec.command.')
  return {
    apiVersion: exec.text('apiVersion') ?? 'client.authentication.k8s.io/v1',
    // As in client-go: a bare name is looked up in PATH, a relative path belongs to the kubeconfig.
    command: command.includes('/') ? (pathOf(command, origin) ?? command) : command,
    args: exec.texts('args'),
    env: Object.fromEntries(
      exec.nodes('env').map((entry) => [entry.text('name') ?? '', entry.text('value') ?? '']),
    ),
    provideClusterInfo: exec.flag('provideClusterInfo'),
    interactiveMode: exec.text('interactiveMode') ?? 'IfAvailable',
    installHint: exec.text('installHint') ?? '',
  }
}

function impersonation(user: KubeconfigNode): Impersonation | undefined {
  const name = user.text('as')
  if (!name) return undefined
  const uid = user.text('as-uid')
  const extra = user.child('as-user-extra')
  const keys = Object.keys(extra?.record() ?? {})
  return {
    user: name,
    ...(uid && { uid }),
    groups: user.texts('as-groups'),
    extra: Object.fromEntries(keys.map((key) => [key, extra?.texts(key) ?? []])),
  }
}

function pathOf(path: string | undefined, { directory }: KubeconfigOrigin): string | undefined {
  if (!path || directory === undefined || isAbsolute(path)) return path
  return resolve(directory, path)
}

type Compact<T> = { [K in keyof T]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
}

function compact<T extends object>(fields: T): Compact<T> {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(set) as Compact<T>
}
