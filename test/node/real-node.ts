/**
 * A real Kubernetes node for tests: kubelet, containerd, kube-proxy, scheduler and DNS, from `NODE_ASSETS`; see
 * README.md.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { endedWithParent, killAtExit } from '../kill-at-exit.js'
import { missingAssets } from '../real/real-cluster.js'
import { type ApiReads, proxiedReads } from './api-reads.js'

export type { Loose } from './api-reads.js'

/** A running node. Its addresses are reachable from its own network only. */
export interface RealNode extends ApiReads {
  /** A folder of this machine that is removed when the node has ended. */
  readonly folder: string
  /**
   * Runs a program in the network of the node, with its kubeconfig, and returns what it prints. `input` is for its
   * standard input.
   */
  run(program: string, args: readonly string[], input?: string): Promise<string>
  kubectl(...args: string[]): Promise<string>
  /** Reads of another cluster in the network of the node, by arguments of kubectl that name it. */
  proxy(socketPath: string, ...args: string[]): Promise<ApiReads>
  /** Applies objects, or a text of YAML. */
  apply(objects: string | object, ...args: string[]): Promise<string>
  /** Makes images known to the node. */
  load(...images: string[]): Promise<void>
}

/** The reason why tests on a real node cannot run here; `false` if they can. For tap's `skip`. */
export function missingNode(): string | false {
  if (!process.env.NODE_ASSETS)
    return 'NODE_ASSETS is not set: as root on Debian 12, export NODE_ASSETS=$(test/node/build)'
  return missingAssets('kubectl', 'kube-controller-manager')
}

/** Starts a node and resolves when Pods run and names of Services resolve. It ends with the test. */
export async function startNode(t: Pick<Test, 'teardown' | 'comment'>): Promise<RealNode> {
  const dir = await mkdtemp(join(tmpdir(), 'node-'))
  const beganMs = performance.now()
  const child = spawn(...endedWithParent('test/node/start', [dir]), { stdio: ['ignore', 'pipe', 'inherit'] })
  killAtExit(child)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  t.teardown(async () => {
    child.kill('SIGTERM')
    await exited
    await rm(dir, { recursive: true, force: true })
  })
  const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (first.done) throw new Error('the node did not start; the lines above say why')
  t.comment(`the node is ready after ${Math.round((performance.now() - beganMs) / 1000)} s`)
  const kubeconfig: string = first.value
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    PATH: `${process.env.KUBEBUILDER_ASSETS}:${process.env.PATH}`,
  }
  const run: RealNode['run'] = (program, args, input) =>
    runProgram(join(dir, 'in'), [program, ...args], { env, input })
  const kubectl = (...args: string[]) => run('kubectl', args)
  const reads = await proxiedReads([join(dir, 'in'), 'kubectl'], join(dir, 'api.sock'), env)
  return {
    ...reads,
    folder: dir,
    run,
    kubectl,
    proxy: (socketPath, ...args) => proxiedReads([join(dir, 'in'), 'kubectl', ...args], socketPath, env),
    apply: (objects, ...args) => run('kubectl', ['apply', '-f', '-', ...args], textOf(objects)),
    load: async (...images) => void (await runProgram('test/node/load', [dir, ...images])),
  }
}

const textOf = (objects: string | object) => {
  if (typeof objects === 'string') return objects
  return JSON.stringify(Array.isArray(objects) ? { apiVersion: 'v1', kind: 'List', items: objects } : objects)
}

/** Builds an image from a folder with a Dockerfile, and returns its name. Arguments are those of `docker build`. */
export async function buildImage(name: string, folder: string, ...args: string[]): Promise<string> {
  return (await runProgram('test/node/image', [name, folder, ...args])).trim()
}

interface RunOptions {
  env?: NodeJS.ProcessEnv
  input?: string | undefined
}

/** Runs a program to its end. A failure has what it printed. */
export function runProgram(
  program: string,
  args: readonly string[],
  { env = process.env, input }: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const command = endedWithParent(program, args)
    const child = execFile(...command, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      error
        ? reject(new Error(`${program} ${args.join(' ')}: ${stderr || stdout}`, { cause: error }))
        : resolve(stdout),
    )
    child.stdin?.end(input)
  })
}
