import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { KubectlCommand } from './command.js'

/** The result of a command. */
export interface KubectlResult {
  readonly command: KubectlCommand
  /** The command as typed. */
  readonly line: string
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The server and folders for kubectl. */
export interface KubectlOptions {
  /** Path of a kubeconfig. */
  readonly kubeconfig: string
  readonly namespace: string
  /** An own folder for kubectl's caches of a server. */
  readonly home: string
}

const built = join(process.env.KUBEBUILDER_ASSETS ?? '', 'kubectl')
const program = existsSync(built) ? built : 'kubectl'

/** The reason why kubectl cannot run here; `false` if it can. For tap's `skip`. */
export const missingKubectl: string | false =
  spawnSync(program, ['version', '--client']).status === 0
    ? false
    : 'kubectl is neither in KUBEBUILDER_ASSETS nor on the PATH'

/** Runs one command, and those at the same time, to the end; its own result comes first. */
export async function runKubectl(command: KubectlCommand, options: KubectlOptions): Promise<KubectlResult[]> {
  const { args, input = '', begun = /^/, meanwhile = [] } = command
  const given = args.map((arg) => arg.replaceAll('$NS', options.namespace))
  const child = spawn(program, [...flags(options), ...given], { env: environment(command, options) })
  const said = new Said(child)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  child.stdin.on('error', () => child.stdin.destroy())
  child.stdin.end(input)
  if (meanwhile.length > 0)
    await Promise.race([said.matches(() => begun.test(said.stdout + said.stderr)), ended])
  const others: KubectlResult[] = []
  for (const other of meanwhile) others.push(...(await runKubectl(other, options)))
  const code = await endOf(command, { child, said, ended })
  return [{ command, line: given.join(' '), code, stdout: said.stdout, stderr: said.stderr }, ...others]
}

interface Running {
  readonly child: ChildProcess
  readonly said: Said
  readonly ended: Promise<number | null>
}

async function endOf({ until }: KubectlCommand, { child, said, ended }: Running): Promise<number | null> {
  if (until === undefined) return ended
  await Promise.race([said.matches(() => until.test(said.stdout)), ended])
  child.kill()
  await ended
  return 0
}

function flags({ kubeconfig, namespace, home }: KubectlOptions): string[] {
  return ['--kubeconfig', kubeconfig, '--namespace', namespace, '--cache-dir', join(home, 'cache')]
}

function environment({ editor }: KubectlCommand, { home }: KubectlOptions): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env
  // A command ends long before it would be worth to collect its garbage.
  return { PATH, TMPDIR, HOME: home, GOGC: 'off', ...(editor !== undefined && { KUBE_EDITOR: editor }) }
}

/** The output of a program so far. */
class Said {
  stdout = ''
  stderr = ''
  readonly #looks = new Set<() => void>()

  constructor({ stdout, stderr }: ChildProcess) {
    stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.stdout += chunk
      for (const look of this.#looks) look()
    })
    stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk
      for (const look of this.#looks) look()
    })
  }

  /** Resolves as soon as `holds` returns true. */
  matches(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return
        this.#looks.delete(look)
        resolve()
      }
      this.#looks.add(look)
      look()
    })
  }
}
