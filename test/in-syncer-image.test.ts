// The image for plugins inside vcluster's container, without Docker: the Dockerfile's own steps make the folder, and it
// runs in a root that has a static busybox and nothing else: no C library, no Node, no /proc.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { credentials } from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { HealthClient, ServingStatus } from '../sdk/remote/proto/gen/health.js'
import { runDockerfileSteps } from './dockerfile-steps.js'

const run = promisify(execFile)
const name = 'sync-all-configmaps'
const busybox = staticBusybox()
const skip = busybox === undefined && 'needs Linux, chroot and a static busybox (Debian: busybox-static)'

void t.test(
  'the plugin starts in a container without Node and without its C library',
  { skip },
  async (t) => {
    const root = emptyRoot(t)
    cpSync(busybox ?? '', join(root, 'bin/busybox'))
    for (const applet of ['sh', 'cp', 'rm', 'env']) symlinkSync('busybox', join(root, 'bin', applet))
    mkdirSync(join(root, 'plugin'))
    const stages = ['bundle', 'in-syncer-files']
    await runDockerfileSteps({ cwd: '.', stages, plugin: join(root, 'plugin') })
    const [command = '', ...args] = await copyCommand()

    await inside(root, command, ...args)
    await t.resolves(inside(root, command, ...args), 'the copy may run again in the same pod')
    const described = await inside(root, 'env', '-i', 'VCLUSTER_PLUGIN_DESCRIBE=1', `/plugins/${name}/plugin`)
    t.match(JSON.parse(described), { kind: 'PluginDescription', syncers: [{ name: 'configmap' }] })
    const [core, app, network, socket = '', protocol] = (await handshake(t, root)).split('|')
    t.same([core, app, network, protocol], ['1', '1', 'unix', 'grpc'])
    t.equal(await health(join(root, socket)), ServingStatus.SERVING)
  },
)

/** A root with nothing in it; its path is short, because that of a socket below it may have 108 characters at most. */
function emptyRoot(t: Test): string {
  const root = mkdtempSync(join(tmpdir(), 'root-'))
  t.teardown(() => rmSync(root, { recursive: true }))
  for (const folder of ['bin', 'plugins', 'tmp']) mkdirSync(join(root, folder))
  return root
}

/** Starts the plugin as vcluster does; answers the one line that it says. */
async function handshake(t: Test, root: string): Promise<string> {
  const [program = '', ...args] = [...enter, root, 'env', '-i', ...cookie, `/plugins/${name}/plugin`]
  const child = spawn(program, args, { env: { PATH: '/bin' }, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return String(line)
}

const cookie = ['VCLUSTER_PLUGIN=vcluster', 'PLUGIN_PROTOCOL_VERSIONS=1', 'METRICS_ADDRESS=0']

/** What go-plugin asks a plugin to know whether it lives. */
function health(socket: string): Promise<number> {
  const client = new HealthClient(`unix:${socket}`, credentials.createInsecure())
  return new Promise<number>((resolve, reject) => {
    client.check({ service: 'plugin' }, (error, answer) => (error ? reject(error) : resolve(answer.status)))
  }).finally(() => client.close())
}

/** What the generated values have the init container do. */
async function copyCommand(): Promise<string[]> {
  const args = ['bin/vcluster-plugin.js', 'manifest', `examples/${name}`, '--mode', 'in-syncer']
  const { stdout } = await run(process.execPath, args)
  const { command, args: rest } = parse(stdout).plugins[name]
  return [...command, ...rest]
}

async function inside(root: string, ...command: string[]): Promise<string> {
  const [program = '', ...args] = [...enter, root, ...command]
  return (await run(program, args, { env: { PATH: '/bin' } })).stdout
}

/** Without root a user namespace gives the right to change the root. */
const enter =
  process.getuid?.() === 0 ? ['/usr/sbin/chroot'] : ['/usr/bin/unshare', '--map-root-user', 'chroot']

function staticBusybox(): string | undefined {
  return ['/bin/busybox', '/usr/bin/busybox'].find((path) => existsSync(path) && isStatic(path))
}

/** `ldd` fails for a program that no library is linked to. */
function isStatic(program: string): boolean {
  const { stdout, stderr } = spawnSync('ldd', [program], { encoding: 'utf8' })
  return /statically linked|not a dynamic executable/.test(stdout + stderr)
}
