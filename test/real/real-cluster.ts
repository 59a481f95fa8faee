/**
 * A real control plane for tests: etcd, kube-apiserver and, if asked for, kube-controller-manager, from the
 * folder that `KUBEBUILDER_ASSETS` names. `test/control-plane/build` makes such a folder.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../simulator/free-ports.js'
import { endedWithParent, killAtExit } from '../kill-at-exit.js'
import { copyData, replaceData } from './etcd-data.js'
import { killProcess } from './kill-process.js'
import { type CertificateName, writePki } from './pki.js'

/** A running control plane. */
export interface RealCluster {
  /** The administrator's kubeconfig, with inline credentials. */
  kubeconfig: string
  /** The file with that kubeconfig. */
  kubeconfigFile: string
  url: string
  /** The present kube-apiserver process, for signals. */
  readonly apiserver: ChildProcess
  /** Kills etcd and kube-apiserver and starts them again with their data and addresses. */
  restart(): Promise<void>
  /** Copies etcd's data and returns the path of the copy. */
  backUp(): Promise<string>
  /**
   * Kills etcd and kube-apiserver, replaces etcd's data by a backup, or by nothing, and resolves when both
   * run again with the same addresses.
   */
  restore(backup?: string): Promise<void>
  stop(): Promise<void>
}

/** Options of {@link startRealCluster}. */
export interface RealClusterOptions {
  /** Runs every controller of kube-controller-manager; default false. */
  controllerManager?: boolean
  /**
   * Called with the file of the kubeconfig when the API server answers, before the controllers start; default nothing.
   * The garbage collector knows the kinds that are served when it starts, and others after half a minute.
   */
  beforeControllers?: (kubeconfigFile: string) => Promise<void>
  /** Further arguments for kube-apiserver; default none. */
  apiserverArgs?: string[]
  /** Further environment variables of all programs; default none. */
  env?: Record<string, string>
  /** Writes to disk before it answers, as a production cluster does; default false. */
  durable?: boolean
}

/**
 * The reason why tests against a real control plane cannot run here; `false` if they can. For tap's `skip`.
 */
export function missingAssets(...programs: string[]): string | false {
  const assets = process.env.KUBEBUILDER_ASSETS
  if (!assets) return 'KUBEBUILDER_ASSETS is not set: export KUBEBUILDER_ASSETS=$(test/control-plane/build)'
  const missing = ['etcd', 'kube-apiserver', ...programs].filter(
    (program) => !existsSync(join(assets, program)),
  )
  return missing.length > 0 && `KUBEBUILDER_ASSETS has no ${missing.join(' and no ')}`
}

/** Starts a control plane in its own folder and resolves when it is ready. */
export async function startRealCluster(options: RealClusterOptions = {}): Promise<RealCluster> {
  const dir = await mkdtemp(join(tmpdir(), 'real-cluster-'))
  const pki = join(dir, 'pki')
  await mkdir(pki)
  await writePki(pki)
  const [etcdPort = 0, port = 0] = await freePorts(2)
  const url = `https://127.0.0.1:${port}`
  const processes: ChildProcess[] = []
  const running = new Map<string, ChildProcess>()
  const stop = async () => {
    for (const child of processes.reverse()) await killProcess(child)
    await rm(dir, { recursive: true, force: true })
  }
  const launch = async (name: string, args: string[]) => {
    const child = await start(name, args, { dir, env: options.env })
    processes.push(child)
    running.set(name, child)
    return child
  }
  const launched = (name: string) => {
    const child = running.get(name)
    if (child === undefined) throw new Error(`${name} was not started`)
    return child
  }
  const startServers = async () => {
    await launch('etcd', etcdFlags(dir, etcdPort, options.durable))
    const apiserver = await launch('kube-apiserver', apiserverFlags({ ...options, dir, port, etcdPort }))
    // A hook creates the default namespace, but /readyz does not wait for it.
    for (const path of ['/readyz', '/api/v1/namespaces/default']) await answers(url + path, pki, apiserver)
  }
  const killServers = async () => {
    for (const name of ['kube-apiserver', 'etcd']) await killProcess(launched(name))
  }
  const restart = async () => {
    await killServers()
    await startServers()
  }
  const restore = async (backup?: string) => {
    await killServers()
    await replaceData(join(dir, 'etcd'), backup)
    await startServers()
  }
  try {
    await startServers()
    const kubeconfig = await kubeconfigOf(pki, url, 'admin')
    const kubeconfigFile = join(dir, 'kubeconfig')
    await writeFile(kubeconfigFile, kubeconfig, { mode: 0o600 })
    if (options.controllerManager) {
      await options.beforeControllers?.(kubeconfigFile)
      const file = join(dir, 'controller-manager.kubeconfig')
      await writeFile(file, await kubeconfigOf(pki, url, 'controller-manager'), { mode: 0o600 })
      const manager = await launch('kube-controller-manager', controllerManagerFlags(dir, file))
      await answers(`${url}/api/v1/namespaces/default/serviceaccounts/default`, pki, manager)
    }
    return {
      kubeconfig,
      kubeconfigFile,
      url,
      get apiserver() {
        return launched('kube-apiserver')
      },
      backUp: () => copyData(join(dir, 'etcd'), launched('etcd')),
      restart,
      restore,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function etcdFlags(dir: string, port: number, durable = false): string[] {
  const url = `http://127.0.0.1:${port}`
  return [
    `--data-dir=${join(dir, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    '--listen-peer-urls=http://127.0.0.1:0',
    `--unsafe-no-fsync=${!durable}`,
  ]
}

function apiserverFlags(
  options: RealClusterOptions & { dir: string; port: number; etcdPort: number },
): string[] {
  const pki = join(options.dir, 'pki')
  const flags = [
    `--etcd-servers=http://127.0.0.1:${options.etcdPort}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${options.port}`,
    // The "kubernetes" endpoints must not be loopback addresses; this address is reserved for documentation
    // (RFC 5737).
    '--advertise-address=192.0.2.1',
    `--cert-dir=${join(options.dir, 'certs')}`,
    `--tls-cert-file=${join(pki, 'server.crt')}`,
    `--tls-private-key-file=${join(pki, 'server.key')}`,
    `--client-ca-file=${join(pki, 'ca.crt')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${join(pki, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(pki, 'sa.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--shutdown-watch-termination-grace-period=2s',
    // As kubeadm starts it: privileged containers are a matter of Pod Security.
    '--allow-privileged',
  ]
  // Without the controller manager there are no service accounts, and every pod would be rejected.
  if (!options.controllerManager) flags.push('--disable-admission-plugins=ServiceAccount')
  return [...flags, ...(options.apiserverArgs ?? [])]
}

function controllerManagerFlags(dir: string, kubeconfig: string): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    '--secure-port=0',
    '--leader-elect=false',
    '--use-service-account-credentials',
    `--service-account-private-key-file=${join(dir, 'pki', 'sa.key')}`,
    `--root-ca-file=${join(dir, 'pki', 'ca.crt')}`,
    `--flex-volume-plugin-dir=${join(dir, 'flexvolume')}`,
    '--kube-api-qps=500',
    '--kube-api-burst=500',
    patientWithNodes,
  ]
}

/** A flag of kube-controller-manager: nodes whose heartbeat a test wrote once stay ready for an hour. */
export const patientWithNodes = '--node-monitor-grace-period=1h'

/**
 * Settings of Go by which a program collects garbage less often. An API server that installs large definitions takes
 * 19.6 s of processor time with 1000, and 24.3 s with 400. It also takes more memory.
 */
function rareCollections(): { GOGC: string; GOMEMLIMIT: string } {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const hasMuch = memory >= 16 * 2 ** 30
  return hasMuch ? { GOGC: '1000', GOMEMLIMIT: '1280MiB' } : { GOGC: '400', GOMEMLIMIT: '768MiB' }
}

async function start(
  name: string,
  args: string[],
  { dir, env: own }: { dir: string; env: RealClusterOptions['env'] },
): Promise<ChildProcess> {
  const log = await open(join(dir, `${name}.log`), 'w')
  const program = join(process.env.KUBEBUILDER_ASSETS ?? '', name)
  const env = { ...rareCollections(), ...process.env, ...own }
  const child = spawn(...endedWithParent(program, args), { env, stdio: ['ignore', log.fd, log.fd] })
  child.once('exit', () => void log.close())
  killAtExit(child)
  return child
}

/** Waits until a GET answers 200. Fails if the process exits before. */
async function answers(url: string, pki: string, child: ChildProcess): Promise<void> {
  const [ca, cert, key] = await Promise.all(
    ['ca.crt', 'admin.crt', 'admin.key'].map((file) => readFile(join(pki, file))),
  )
  for (let tries = 0; tries < 6000; tries++) {
    if (child.exitCode !== null)
      throw new Error(
        `a program of the control plane exited with status ${child.exitCode} before ${url} answered`,
      )
    if ((await statusOf(url, { ca, cert, key })) === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} did not answer within five minutes`)
}

function statusOf(
  url: string,
  tls: Record<'ca' | 'cert' | 'key', Buffer | undefined>,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = request(url, { ...tls, agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
    call.once('error', () => resolve(undefined))
    call.end()
  })
}

async function kubeconfigOf(pki: string, url: string, user: CertificateName): Promise<string> {
  const data = async (file: string) => (await readFile(join(pki, file))).toString('base64')
  const users = {
    'client-certificate-data': await data(`${user}.crt`),
    'client-key-data': await data(`${user}.key`),
  }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'test', cluster: { server: url, 'certificate-authority-data': await data('ca.crt') } },
    ],
    users: [{ name: 'test', user: users }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  }
  // JSON is YAML.
  return `${JSON.stringify(config, null, 2)}\n`
}
