import { stringifyJson } from '../kube/json.js'
import { isJsonObject } from '../kube/json-object.js'
import type { Clock } from '../time/clock.js'
import type { ExecPlugin, Kubeconfig } from './kubeconfig.js'
import { runCredentialProgram } from './run-credential-program.js'

/** The credentials from an exec plugin: a token, or a client certificate with its key as PEM, or both. */
export interface ExecCredential {
  token?: string
  cert?: string
  key?: string
  /** The time at which the credentials expire; left out if they are valid until the process ends. */
  expiresAt?: Date
}

/** Options of {@link runExecPlugin}. */
export interface ExecPluginOptions {
  /** The cluster's certificate authority as PEM, which a plugin with `provideClusterInfo` gets. */
  ca: string | undefined
  clock: Clock
  /** Ends the program. */
  signal: AbortSignal
}

/**
 * Runs a kubeconfig's exec plugin once. The standard error of the plugin goes to that of this process, so that a person
 * sees its messages; its output never appears in a message. See
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
export async function runExecPlugin(
  kubeconfig: Kubeconfig,
  { ca, ...options }: ExecPluginOptions,
): Promise<ExecCredential> {
  const { exec, ...user } = kubeconfig.user
  if (!exec) return user
  if (exec.interactiveMode === 'Always') {
    throw new Error(`${describe(exec)} wants a terminal (interactiveMode Always), which is not there.`)
  }
  const env = {
    ...process.env,
    ...exec.env,
    KUBERNETES_EXEC_INFO: stringifyJson(execInfo(kubeconfig, exec, ca)),
  }
  const output = await runCredentialProgram(exec, { name: describe(exec), env, ...options })
  return readOutput(exec, output)
}

/** The object that a plugin gets in `KUBERNETES_EXEC_INFO`. */
function execInfo(kubeconfig: Kubeconfig, exec: ExecPlugin, ca: string | undefined): object {
  const cluster = {
    server: kubeconfig.server,
    'tls-server-name': kubeconfig.tlsServerName,
    'insecure-skip-tls-verify': kubeconfig.skipTlsVerify,
    'certificate-authority-data': ca && Buffer.from(ca).toString('base64'),
    'proxy-url': kubeconfig.proxyUrl,
    config: kubeconfig.execConfig,
  }
  return {
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: { interactive: false, ...(exec.provideClusterInfo && { cluster }) },
  }
}

/** Reads the credentials from the output of a plugin. */
function readOutput(exec: ExecPlugin, output: string): ExecCredential {
  const { apiVersion, status } = parseCredential(exec, output)
  if (apiVersion !== exec.apiVersion) {
    throw new Error(
      `${describe(exec)} answered in another apiVersion than the kubeconfig's ${exec.apiVersion}.`,
    )
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status ?? {}
  if (!token && !(cert && key))
    throw new Error(`${describe(exec)} answered no token and no certificate with key.`)
  return {
    ...(token && { token }),
    ...(cert && key && { cert, key }),
    ...(expirationTimestamp && { expiresAt: new Date(expirationTimestamp) }),
  }
}

/** The JSON that a plugin prints. */
interface ExecCredentialJson {
  apiVersion?: string
  status?: {
    token?: string
    clientCertificateData?: string
    clientKeyData?: string
    expirationTimestamp?: string
  }
}

function parseCredential(exec: ExecPlugin, output: string): ExecCredentialJson {
  const credential = parseOutput(exec, output)
  if (isJsonObject(credential) && isJsonObject(credential.status ?? {})) return credential
  throw new Error(`${describe(exec)} printed JSON that is not an ExecCredential; run it by hand.`)
}

function parseOutput(exec: ExecPlugin, output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    // The parser's own message would quote the output, which may be a token.
    throw new Error(`${describe(exec)} printed something that is not JSON; run it by hand.`)
  }
}

function describe(exec: ExecPlugin): string {
  return `The kubeconfig's exec plugin ${exec.command}`
}
