import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { DevRun, type ProgramEnd, root } from './dev-run.js'
import { loadTypeScript } from './plugin-process.js'

// These tests start programs, which takes longer on busy machines.
t.setTimeout(600_000)

const example = 'examples/sync-all-configmaps'

/** The end of the program with its error message. */
async function mistake(run: DevRun): Promise<ProgramEnd & { said: string }> {
  const ended = await run.ended
  return { ...ended, said: run.errors.join('\n') }
}

void t.test('a usage error prints one sentence and exits with 2', async (t) => {
  const help = 'Try "vcluster-plugin dev --help".'
  const calls: [string, string][] = [
    ['deploy', 'vcluster-plugin: Unknown command: deploy. Try "vcluster-plugin --help".'],
    ['dve', 'vcluster-plugin: Unknown command: dve. Did you mean dev? Try "vcluster-plugin --help".'],
    ['dev --onec', `vcluster-plugin: Unknown argument: onec. Did you mean --once? ${help}`],
    ['dev --wach', `vcluster-plugin: Unknown argument: wach. Did you mean --no-watch? ${help}`],
    [
      'module bild',
      'vcluster-plugin: Unknown command: bild. Did you mean build? Try "vcluster-plugin module --help".',
    ],
    [
      'module check',
      'vcluster-plugin: An argument is missing: vcluster-plugin module check <file>. Try "vcluster-plugin module --help".',
    ],
    [
      'why order',
      'vcluster-plugin: An argument is missing: vcluster-plugin why <kind> <name>. Try "vcluster-plugin why --help".',
    ],
    ['devv . x', 'vcluster-plugin: Unknown command: devv. Did you mean dev? Try "vcluster-plugin --help".'],
    [
      'test . --only (',
      'vcluster-plugin: --only must be a regular expression, got "(": Unterminated group. Try "vcluster-plugin test --help".',
    ],
    ['dev --host-port', `vcluster-plugin: --host-port needs a value. ${help}`],
    [
      'dev --host-port 70000',
      `vcluster-plugin: --host-port must be an integer from 0 to 65535, got 70000. ${help}`,
    ],
    [
      'dev --host-port x',
      `vcluster-plugin: --host-port must be an integer from 0 to 65535, got "x". ${help}`,
    ],
    [
      'dev --faults latency=50',
      `vcluster-plugin: --faults latency must be a duration such as 50ms, 2s or 1m, got "50". ${help}`,
    ],
    [
      'dev --virtual file',
      `vcluster-plugin: --virtual needs a real host cluster; add --kubeconfig or --context. ${help}`,
    ],
    [
      'dev --name My_Cluster',
      `vcluster-plugin: --name is "My_Cluster": use at most 50 lower-case letters, digits and "-", beginning with a letter. ${help}`,
    ],
  ]
  for (const [call, said] of calls)
    t.strictSame(await mistake(new DevRun(call.split(' '))), { code: 2, signal: null, said })
})

void t.test('help lists the commands with an example, and --version prints the version', async (t) => {
  const help = new DevRun(['dev', '--help'])
  t.strictSame(await help.ended, { code: 0, signal: null })
  t.match(help.lines.join('\n'), /Examples:\n +vcluster-plugin dev examples\/sync-all-configmaps/)
  const version = new DevRun(['--version'])
  await version.ended
  t.match(version.lines, [/^\d+\.\d+\.\d+$/])
})

void t.test('an error about a folder without a plugin names it', async (t) => {
  const { code, said } = await mistake(new DevRun(['dev', 'docs-of-no-plugin']))
  t.strictSame(
    [code, said],
    [1, 'vcluster-plugin: there is no folder docs-of-no-plugin; pass the folder of a program'],
  )
  const samples = await mistake(new DevRun(['dev', example, '--samples', 'none.yaml', '--dir', t.testdir()]))
  t.strictSame(
    [samples.code, samples.said],
    [1, 'vcluster-plugin: cannot apply none.yaml: it does not exist; correct the path of --samples'],
  )
  const empty = await mistake(new DevRun(['dev', t.testdir()]))
  t.equal(empty.code, 1)
  t.match(empty.said, /^vcluster-plugin: there is no program in .*: add a main\.ts, .*$/)
})

void t.test('the error of a plugin that throws at start is printed once, with the place', async (t) => {
  const dir = t.testdir({
    thrown: { 'main.ts': "await Promise.resolve()\nthrow new Error('no database')\n" },
    unready: { 'main.ts': "import { plugin } from 'vcluster-plugin-sdk'\n\nawait plugin.start()\n" },
    refused: {
      'main.ts': "import { plugin } from 'vcluster-plugin-sdk'\n\nawait plugin.init()\nprocess.exit(4)\n",
    },
    untyped: { 'main.ts': 'const x = = 1\n' },
  })
  const failing = async (name: string) => {
    const { code, said } = await mistake(
      new DevRun(['dev', join(dir, name), '--dir', join(dir, 'clusters'), '--no-watch']),
    )
    t.equal(code, 1)
    return said.replaceAll(dir, '')
  }
  const [thrown, unready, untyped] = await Promise.all(['thrown', 'unready', 'untyped'].map(failing))
  t.match(
    thrown,
    /^vcluster-plugin: the program in \/thrown failed at start: no database \(\.tap\/\S+\/thrown\/main\.ts:2:\d+\)$/,
  )
  t.match(unready, /failed at start: plugin\.start\(\) was called before plugin\.init\(\)[^\n]*$/)
  t.match(untyped, /failed at start: \S+\/untyped\/main\.ts:1:10: Unexpected "="$/)
})

void t.test('a program with a wrong syntax is shown, and tried again when it is saved', async (t) => {
  const dir = t.testdir({ 'main.ts': '// The program.\nconst x = = 1\n' })
  const dev = new DevRun(['dev', dir, '--dir', join(dir, 'clusters')])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/^program +cannot be loaded: .*main\.ts:2:10: Unexpected "="$/)
  await dev.line(/^ {2}> 2 \| const x = = 1$/)
  await dev.line(/^ {6}\| {11}\^$/)
  await dev.line(/^dev +waiting for the next save$/)
  await writeFile(join(dir, 'main.ts'), "throw new Error('the syntax is right')\n")
  const { code, said } = await mistake(dev)
  t.equal(code, 1)
  t.match(said, /failed at start: the syntax is right /)
})

void t.test('an error about a port in use names the flag that chooses another', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const flags = ['--host-port', '--vcluster-port', '--inspect']
  for (const flag of flags) {
    const { code, said } = await mistake(
      new DevRun(['dev', example, '--dir', t.testdir(), flag, String(port)]),
    )
    t.equal(code, 1)
    t.match(
      said,
      new RegExp(
        `^vcluster-plugin: port ${port} .*is in use; stop the program that listens on it, or choose another port with ${flag}$`,
      ),
    )
  }
})

void t.test('a syntax error of a kubeconfig is reported with its line', async (t) => {
  const file = join(t.testdir({ bad: 'apiVersion: v1\nclusters: [\n  - x: }\n' }), 'bad')
  const standalone = {
    VIRTUAL_KUBECONFIG: file,
    HOST_KUBECONFIG: file,
    VCLUSTER_NAME: 'dev',
    TARGET_NAMESPACE: 'dev',
  }
  const args = [loadTypeScript, '--conditions=vcluster-plugin-sdk:source', `${example}/main.ts`]
  const failed = promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...standalone },
  })
  await t.rejects(failed, {
    code: 1,
    stderr: /^kubeconfig .*bad does not parse: line 3, column 3: .*\n$/,
  })
})

void t.test('samples that cannot be applied are reported', async (t) => {
  const idle = "import { plugin } from 'vcluster-plugin-sdk'\n\nawait plugin.init()\nawait plugin.start()\n"
  const dir = t.testdir({
    'main.ts': idle,
    'samples.yaml': 'apiVersion: example.com/v1\nkind: Rocket\nmetadata:\n  name: a\n',
  })
  const { code, said } = await mistake(new DevRun(['dev', dir, '--dir', join(dir, 'clusters'), '--once']))
  t.equal(code, 1)
  t.match(
    said,
    /cannot apply .*samples\.yaml: the virtual cluster does not serve example\.com\/v1 Rocket, the kind of a$/,
  )
  const seeded = new DevRun([
    ...['dev', example, '--dir', join(dir, 'clusters'), '--once', '--samples', join(dir, 'samples.yaml')],
  ])
  const wrong = await mistake(seeded)
  t.equal(wrong.code, 1)
  t.ok(wrong.said.includes(`cannot apply ${join(dir, 'samples.yaml')}: the virtual cluster does not serve`))
})

void t.test(
  'a folder that cannot be created ends the command',
  { skip: !existsSync('/proc/self') },
  async (t) => {
    const { code, said } = await mistake(new DevRun(['dev', example, '--dir', '/proc/x', '--no-watch']))
    t.equal(code, 1)
    t.match(said, /^vcluster-plugin: cannot write the kubeconfigs to \/proc\/x: ENOENT/)
  },
)

/** Copies ConfigMaps, and reads a Secret of the host at its start, which its Role does not allow. */
const greedy = `import { configMaps, mirrorDown, plugin, secrets } from 'vcluster-plugin-sdk'

const ctx = await plugin.init()
plugin.register(mirrorDown(ctx, configMaps))
plugin.register({ name: 'greedy', init: async ({ host, targetNamespace }) => void (await host.client.list(secrets, { namespace: targetNamespace })) })
await plugin.start()
`

void t.test('a plugin has the permissions that manifest prints, and all with a flag', async (t) => {
  const seed =
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: left\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: copied\n'
  const dir = t.testdir({ greedy: { 'main.ts': greedy, 'samples.yaml': seed } })
  const start = (...flags: string[]) =>
    new DevRun(['dev', join(dir, 'greedy'), '--dir', join(dir, 'clusters'), '--once', ...flags])
  const { code, said } = await mistake(start())
  t.equal(code, 1)
  t.match(
    said,
    /failed at start: .*User "plugin" cannot list resource "secrets" in API group "" in the namespace/,
  )
  const asAdmin = start('--as-admin')
  await asAdmin.line(/^dev +no copy expected of Secret default\/left: the plugin has no syncer for the kind$/)
  await asAdmin.line(/^1 of 1 samples mirrored/)
  t.strictSame(await asAdmin.ended, { code: 0, signal: null })
})

void t.test('the error of a Node that is too old names the minimum version', async (t) => {
  const fake =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })"
  const dir = t.testdir({ 'old.cjs': fake })
  const old = new DevRun(['--version'], { NODE_OPTIONS: `--require ${join(dir, 'old.cjs')}` })
  t.strictSame(await mistake(old), {
    code: 1,
    signal: null,
    said: 'vcluster-plugin needs Node 20.19, 22.12, 24 or newer; this is 18.20.4. Install one of them and try again.',
  })
})
