import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endedWithParent, killAtExit } from '../kill-at-exit.js'
import { killProcess } from '../real/kill-process.js'

/** A program of a control plane, and the cluster that it runs on. */
export interface ComponentOptions {
  readonly program: 'kube-controller-manager' | 'kube-scheduler'
  /** A folder for its kubeconfig. */
  readonly dir: string
  /** The kubeconfig of an administrator. */
  readonly kubeconfig: string
  readonly args?: readonly string[]
}

/** A running program. */
export interface Component {
  /** Its log. */
  log(): string
  stop(): Promise<void>
}

const shared = ['--leader-elect=false', '--secure-port=0', '--kube-api-qps=500', '--kube-api-burst=500']

/** Starts a program of a control plane from the folder that `KUBEBUILDER_ASSETS` names. It ends with this process. */
export async function startComponent({
  program,
  dir,
  kubeconfig,
  args = [],
}: ComponentOptions): Promise<Component> {
  const file = join(dir, `${program}.kubeconfig`)
  await writeFile(file, kubeconfig, { mode: 0o600 })
  const path = join(process.env.KUBEBUILDER_ASSETS ?? '', program)
  const child = spawn(...endedWithParent(path, [`--kubeconfig=${file}`, ...shared, ...args]), {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  killAtExit(child)
  const parts: Uint8Array[] = []
  child.stderr.on('data', (part: Uint8Array) => parts.push(part))
  return {
    log: () => Buffer.concat(parts).toString('utf8'),
    stop: () => killProcess(child),
  }
}
