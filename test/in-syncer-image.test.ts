// Tests the image for in-syncer plugins without Docker. The Dockerfile's own steps create the folder, and it
// runs in a root with only a static busybox: no C library, no Node, no /proc.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { GrpcClient } from '../sdk/engine/grpc/client.js'
import { methodsOf } from '../sdk/engine/grpc/service.js'
import { HealthDefinition, ServingStatus } from '../sdk/engine/health/proto/gen/health.js'
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
    await t.resolves(inside(root, command, ...args), 'the copy may run again in the same Pod')
    const described = await inside(root, 'env', '-i', 'VCLUSTER_PLUGIN_DESCRIBE=1', `/plugins/${name}/plugin`)
    t.match(JSON.parse(described), { kind: 'PluginDescription', syncers: [{ name: 'configmap' }] })
    const [core, app, network, socket = '', protocol] = (await handshake(t, root)).split('|')
    t.same([core, app, network, protocol], ['1', '1', 'unix', 'grpc'])
    t.equal(await health(join(root, socket)), ServingStatus.SERVING)
  },
)

/** An empty root. Its path is short, because the path of a socket in it may have at most 108 characters. */
function emptyRoot(t: Test): string {
  const root = mkdtempSync(join(tmpdir(), 'root-'))
  t.teardown(() => rmSync(root, { recursive: true }))
  for (const folder of ['bin', 'plugins', 'tmp']) mkdirSync(join(root, folder))
  return root
}

/** Starts the plugin as vcluster does, and returns the line that it prints. */
async function handshake(t: Test, root: string): Promise<string> {
  const [program = '', ...args] = [...enter, root, 'env', '-i', ...cookie, `/plugins/${name}/plugin`]
  const child = spawn(program, args, { env: { PATH: '/bin' }, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return String(line)
}

const cookie = ['VCLUSTER_PLUGIN=vcluster', 'PLUGIN_PROTOCOL_VERSIONS=1', 'METRICS_ADDRESS=0']

/** The health check of go-plugin. */
function health(socket: string): Promise<number> {
  const client = new GrpcClient({ address: `unix:${socket}` })
  const checked = client.call(methodsOf(HealthDefinition).check, { service: 'plugin' })
  return checked.then(({ status }) => status).finally(() => client.close())
}

/** The command of the init container in the generated values. */
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

/** Without root, a user namespace gives the permission to change the root. */
const enter =
  process.getuid?.() === 0 ? ['/usr/sbin/chroot'] : ['/usr/bin/unshare', '--map-root-user', 'chroot']

function staticBusybox(): string | undefined {
  return ['/bin/busybox', '/usr/bin/busybox'].find((path) => existsSync(path) && isStatic(path))
}

/** `ldd` fails for a statically linked program. */
function isStatic(program: string): boolean {
  const { stdout, stderr } = spawnSync('ldd', [program], { encoding: 'utf8' })
  return /statically linked|not a dynamic executable/.test(stdout + stderr)
}
