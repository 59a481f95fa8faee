import { spawn } from 'node:child_process'
import type { Clock } from '../observe/clock.js'
import type { ExecPlugin, Kubeconfig } from './kubeconfig.js'

/** What an exec plugin answered: a token, or a client certificate with its key as PEM, or both. */
export interface ExecCredential {
  token?: string
  cert?: string
  key?: string
  /** When the answer ends to be of use; absent means with the process. */
  expiresAt?: Date
}

const timeoutMs = 60_000
const maxOutputBytes = 1024 * 1024

/**
 * Runs a kubeconfig's exec plugin once. Its standard error goes to ours, so that a person sees its complaints;
 * its output never appears in a message.
 * See https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
export async function runExecPlugin(kubeconfig: Kubeconfig, clock: Clock): Promise<ExecCredential> {
  const { exec, ...user } = kubeconfig.user
  if (!exec) return user
  if (exec.interactiveMode === 'Always') {
    throw new Error(`${describe(exec)} wants a terminal (interactiveMode Always), which is not there.`)
  }
  const env = {
    ...process.env,
    ...exec.env,
    KUBERNETES_EXEC_INFO: JSON.stringify(execInfo(kubeconfig, exec)),
  }
  const output = await outputOf(exec, env, clock)
  return readOutput(exec, output)
}

function execInfo(kubeconfig: Kubeconfig, exec: ExecPlugin): object {
  const cluster = {
    server: kubeconfig.server,
    'tls-server-name': kubeconfig.tlsServerName,
    'insecure-skip-tls-verify': kubeconfig.skipTlsVerify,
    'certificate-authority-data': kubeconfig.caData,
    'proxy-url': kubeconfig.proxyUrl,
  }
  return {
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: { interactive: false, ...(exec.provideClusterInfo && { cluster }) },
  }
}

function outputOf(exec: ExecPlugin, env: NodeJS.ProcessEnv, clock: Clock): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(exec.command, exec.args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const cancel = clock.schedule(timeoutMs, () => child.kill())
    const chunks: Buffer[] = []
    let size = 0
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxOutputBytes) child.kill()
      else chunks.push(chunk)
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      cancel()
      // Without it as the cause: it carries the arguments, and one of them may be a secret.
      reject(new Error(`${describe(exec)} did not start (${error.code}). ${exec.installHint}`.trim()))
    })
    child.once('close', (code, signal) => {
      cancel()
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(new Error(`${describe(exec)} failed (${signal ?? `exit code ${code}`}); run it by hand.`))
    })
  })
}

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
  try {
    return JSON.parse(output) as ExecCredentialJson
  } catch {
    // The parser's own message would quote the output, which may be a token.
    throw new Error(`${describe(exec)} printed something that is no JSON; run it by hand.`)
  }
}

function describe(exec: ExecPlugin): string {
  return `The kubeconfig's exec plugin ${exec.command}`
}
