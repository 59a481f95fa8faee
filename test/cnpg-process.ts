import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { CertificateAuthority, commonName } from '../sdk/engine/kube/certificate/certificate-authority.js'
import { stringifyJson } from '../sdk/engine/kube/json.js'

/** Why tests with the Go client are skipped; `false` if it is there. */
export const noClient = goClient() === undefined && 'needs Go, as .ci/run has it'

/** The program that asks a plugin what the operator asks; undefined without Go. */
export function goClient(): string | undefined {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    return execFileSync('test/cnpg-client/build', { encoding: 'utf8', stdio: [...stdio] }).trim()
  } catch {
    return undefined
  }
}

/** One answer of the Go client. */
export interface ClientAnswer {
  result?: unknown
  error?: string
  calls: { method: string; code: string }[]
  ms: number
}

/** The Go client over one pool of connections. */
export interface OperatorClient {
  ask(call: string, rest?: Record<string, unknown>): Promise<ClientAnswer>
  end(): Promise<void>
}

/** Starts the Go client with flags that say where the plugin is. */
export function startClient(flags: readonly string[]): OperatorClient {
  const child = spawn(goClient() ?? '', [...flags, 'lines'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = linesOf(child.stdout)
  let id = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask(call, rest = {}) {
      child.stdin.write(`${stringifyJson({ id: ++id, call, ...rest })}\n`)
      const next = last.then(async () => JSON.parse((await answers.next()).value as string) as ClientAnswer)
      last = next.catch(() => {})
      return next
    },
    async end() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

/** Lines that end with `\n`: other separators are a part of texts. */
async function* linesOf(stream: Readable): AsyncGenerator<string, undefined> {
  let parts: string[] = []
  for await (const chunk of stream.setEncoding('utf8')) {
    const [end = '', ...next] = (chunk as string).split('\n')
    parts.push(end)
    for (const start of next) {
      yield parts.join('')
      parts = [start]
    }
  }
  return undefined
}

/** Files of certificates for both sides. */
export interface CertificateFiles {
  readonly serverCert: string
  readonly serverKey: string
  readonly clientCert: string
  readonly clientKey: string
  readonly clientCa: string
  /** PEM, not a file. */
  readonly serverCa: string
}

/** Writes certificates of two new authorities. The server is `hello-world`, as its Service. */
export function writeCertificates(
  folder: string,
  names: readonly string[] = ['hello-world'],
): CertificateFiles {
  const now = Date.now()
  const validity = { notBefore: new Date(now - 60_000), notAfter: new Date(now + 3_600_000) }
  const [servers, clients] = ['servers', 'clients'].map((name) => new CertificateAuthority(name, validity))
  const server = servers?.issue({ subject: [[commonName, 'hello-world']], usage: 'server', dnsNames: names })
  const client = clients?.issue({ subject: [[commonName, 'operator']], usage: 'client' })
  const write = (name: string, text = '') => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  return {
    serverCert: write('server.crt', server?.certificate),
    serverKey: write('server.key', server?.key),
    clientCert: write('client.crt', client?.certificate),
    clientKey: write('client.key', client?.key),
    clientCa: write('client-ca.crt', clients?.certificate),
    serverCa: servers?.certificate ?? '',
  }
}

/** The flags of the plugin that serves with these certificates. */
export const serverFlags = (address: string, files: CertificateFiles): string[] => [
  ...['--server-address', address],
  ...['--server-cert', files.serverCert],
  ...['--server-key', files.serverKey],
  ...['--client-ca', files.clientCa],
]

/** The flags of the client that reaches it. */
export const clientFlags = (address: string, files: CertificateFiles): string[] => [
  ...['--address', address],
  ...['--server-name', 'hello-world'],
  ...['--server-cert', files.serverCert],
  ...['--client-cert', files.clientCert],
  ...['--client-key', files.clientKey],
]
