// The image for plugins inside vcluster's container, without Docker: the Dockerfile's own steps make the folder, and it
// runs in a root that has a static busybox and nothing else: no C library, no Node, no /proc.
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'

const run = promisify(execFile)
const name = 'sync-all-configmaps'
const busybox = staticBusybox()
const skip = busybox === undefined && 'needs Linux, chroot and a static busybox (Debian: busybox-static)'

void t.test(
  'the plugin starts in a container without Node and without its C library',
  { skip },
  async (t) => {
    const root = t.testdir({ bin: {}, plugins: {}, tmp: {} })
    cpSync(busybox ?? '', join(root, 'bin/busybox'))
    for (const applet of ['sh', 'cp', 'rm', 'env']) symlinkSync('busybox', join(root, 'bin', applet))
    await replayDockerfile(join(root, 'plugin'))
    const [command = '', ...args] = await copyCommand()

    await inside(root, command, ...args)
    await t.resolves(inside(root, command, ...args), 'the copy may run again in the same pod')
    const described = await inside(root, 'env', '-i', 'VCLUSTER_PLUGIN_DESCRIBE=1', `/plugins/${name}/plugin`)
    t.match(JSON.parse(described), { kind: 'PluginDescription', syncers: [{ name: 'configmap' }] })
  },
)

/** Runs the steps that make `/plugin` in the image, with `folder` in its place. */
async function replayDockerfile(folder: string): Promise<void> {
  mkdirSync(folder)
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  const entry = /^ARG PLUGIN_ENTRY=(.*)$/m.exec(dockerfile)?.[1] ?? ''
  for (const stage of ['bundle', 'in-syncer-files']) {
    const [, steps = ''] = new RegExp(`^FROM \\S+ AS ${stage}$(.*?)^FROM `, 'ms').exec(dockerfile) ?? []
    for (const [, step = ''] of steps.matchAll(/^RUN (.*)$/gm))
      await run('sh', ['-c', step.replaceAll('/plugin', folder)], {
        env: { ...process.env, PLUGIN_ENTRY: entry },
      })
  }
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
