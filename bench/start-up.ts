import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMs } from '../cli/bench/process-usage.js'

/** How a mirror receives its clusters. */
type Mode = 'standalone' | 'sidecar'

/** The time from the start of a program to its first connection. */
export interface StartUp {
  readonly ms: number
  readonly cpuMs: number
}

/**
 * Starts a mirror and kills it as soon as it connects to one of its clusters, or a sidecar to its vcluster
 * process. Both are only ports.
 */
export async function startUp(command: readonly string[], mode: Mode = 'standalone'): Promise<StartUp> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'))
  const server = createServer((socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const file = join(folder, 'kubeconfig')
  writeFileSync(file, kubeconfig(port))
  const env = {
    standalone: {
      VIRTUAL_KUBECONFIG: file,
      HOST_KUBECONFIG: file,
      VCLUSTER_NAME: 'bench',
      TARGET_NAMESPACE: 'bench',
    },
    sidecar: { VCLUSTER_PLUGIN_NAME: 'bench', VCLUSTER_LISTEN_ADDRESS: `127.0.0.1:${port}` },
  }[mode]
  const [program = '', ...args] = command
  const startedMs = performance.now()
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' })
  try {
    await Promise.race([once(server, 'connection'), endOf(child, program)])
    return { ms: performance.now() - startedMs, cpuMs: cpuMs(child.pid ?? 0) }
  } finally {
    child.kill('SIGKILL')
    server.close()
    rmSync(folder, { recursive: true })
  }
}

/** Rejects when a program exits by itself, or cannot be started. */
async function endOf(child: ChildProcess, program: string): Promise<never> {
  const [code, signal] = await once(child, 'exit')
  throw new Error(`${program} exited with ${signal ?? `status ${code}`} before it connected`)
}

function kubeconfig(port: number): string {
  const cluster = { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true }
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'bench', cluster }],
    users: [{ name: 'bench', user: { token: 'bench' } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
    'current-context': 'bench',
  })
}
