import { isAbsolute, resolve } from 'node:path'
import type { ExecPlugin, Impersonation, Kubeconfig, KubeconfigUser } from './kubeconfig.js'
import { kubeconfigError, type Node } from './kubeconfig-text.js'

/** The source of a kubeconfig, and the context to use. */
export interface Place {
  source: string
  /** Relative paths start here; undefined leaves them as they are. */
  directory: string | undefined
  context: string | undefined
}

/** One context of a kubeconfig with its cluster and user; throws `INVALID_KUBECONFIG` where something is missing. */
export function resolveContext(document: Node, place: Place): Kubeconfig {
  const { source } = place
  const name = place.context ?? document.text('current-context')
  if (!name) {
    throw kubeconfigError(source, 'has no current-context; set one with `kubectl config use-context NAME`.')
  }
  const context = document.named('contexts', name)?.child('context')
  if (!context) {
    const known = document.nodes('contexts').map((one) => one.text('name'))
    throw kubeconfigError(source, `has no context "${name}"; it has: ${known.join(', ') || 'none'}.`)
  }
  const cluster = referred(document, 'cluster', context.text('cluster'), name)
  const user = referred(document, 'user', context.text('user'), name)
  const namespace = context.text('namespace')
  return {
    source,
    ...clusterFields(cluster, place, name),
    ...(namespace && { namespace }),
    user: user ? userFields(user, place) : {},
  }
}

function referred(document: Node, kind: 'cluster' | 'user', name: string | undefined, context: string) {
  if (!name) return undefined
  const found = document.named(`${kind}s`, name)
  if (found) return found.child(kind)
  throw kubeconfigError(
    document.source,
    `has no ${kind} "${name}", which context "${context}" refers to; add it or choose another context.`,
  )
}

function clusterFields(cluster: Node | undefined, place: Place, context: string) {
  const server = cluster?.text('server')
  if (!cluster || !server) {
    throw kubeconfigError(place.source, `names no server for context "${context}"; add cluster.server.`)
  }
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw kubeconfigError(place.source, `has a server that is not an http(s) URL: "${server}".`)
  }
  return compact({
    server: server.replace(/\/+$/, ''),
    caFile: pathOf(cluster.text('certificate-authority'), place),
    caData: cluster.text('certificate-authority-data'),
    tlsServerName: cluster.text('tls-server-name'),
    skipTlsVerify: cluster.flag('insecure-skip-tls-verify') || undefined,
    proxyUrl: proxyUrlOf(cluster, place),
  })
}

/** The URL of the proxy. The error about an invalid one hides a possible password: the part before an @. */
function proxyUrlOf(cluster: Node, { source }: Place): string | undefined {
  const url = cluster.text('proxy-url')
  if (!url || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return url
  const quoted = url.replace(/^(.*\/\/)?.*@/, '$1…@')
  throw kubeconfigError(source, `has a proxy-url that is not an http: or https: URL: "${quoted}".`)
}

function userFields(user: Node, place: Place): KubeconfigUser {
  const authProvider = user.child('auth-provider')
  return compact({
    token: user.text('token'),
    tokenFile: pathOf(user.text('tokenFile') ?? user.text('token-file'), place),
    username: user.text('username'),
    password: user.text('password'),
    certFile: pathOf(user.text('client-certificate'), place),
    certData: user.text('client-certificate-data'),
    keyFile: pathOf(user.text('client-key'), place),
    keyData: user.text('client-key-data'),
    exec: execFields(user.child('exec'), place),
    authProvider: authProvider && {
      name: authProvider.text('name') ?? '',
      config: authProvider.child('config')?.record() ?? {},
    },
    impersonate: impersonation(user),
  })
}

function execFields(exec: Node | undefined, place: Place): ExecPlugin | undefined {
  if (!exec) return undefined
  const command = exec.text('command')
  if (!command) throw kubeconfigError(place.source, 'has an exec user without a command; add exec.command.')
  return {
    apiVersion: exec.text('apiVersion') ?? 'client.authentication.k8s.io/v1',
    // As in client-go: a bare name is looked up in PATH, a relative path belongs to the kubeconfig.
    command: command.includes('/') ? (pathOf(command, place) ?? command) : command,
    args: exec.texts('args'),
    env: Object.fromEntries(
      exec.nodes('env').map((entry) => [entry.text('name') ?? '', entry.text('value') ?? '']),
    ),
    provideClusterInfo: exec.flag('provideClusterInfo'),
    interactiveMode: exec.text('interactiveMode') ?? 'IfAvailable',
    installHint: exec.text('installHint') ?? '',
  }
}

function impersonation(user: Node): Impersonation | undefined {
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

function pathOf(path: string | undefined, { directory }: Place): string | undefined {
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
