// Tests that a program that the command starts reaches no cluster of the user who starts it.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { root } from './dev-run.js'
import { isWholeRun } from './whole-run.js'

t.setTimeout(600_000)
t.jobs = 2

/** Records by what the program could find the planted cluster: variables, and the file in the home folder. */
const spy = `import { appendFileSync, existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const { SPY_FILE = '', VCLUSTER_PLUGIN_DESCRIBE, ...env } = process.env
const found = Object.keys(env).filter((name) => env[name]?.includes('planted'))
if (existsSync(join(homedir(), '.kube', 'config'))) found.push('~/.kube/config')
appendFileSync(SPY_FILE, JSON.stringify({ found, described: VCLUSTER_PLUGIN_DESCRIBE === '1' }) + '\\n')
`

interface Seen {
  found: string[]
  described: boolean
}

/** A kubeconfig in each place where clients look for one. Its server counts the connections. */
async function planted(t: Test) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const kubeconfig = `apiVersion: v1
kind: Config
current-context: planted
contexts: [{ name: planted, context: { cluster: planted, user: planted } }]
clusters: [{ name: planted, cluster: { server: 'http://127.0.0.1:${port}' } }]
users: [{ name: planted, user: {} }]
`
  const dir = t.testdir({ planted: { config: kubeconfig, '.kube': { config: kubeconfig } } })
  const home = join(dir, 'planted')
  const file = join(home, 'config')
  const env = {
    HOME: home,
    USERPROFILE: home,
    KUBECONFIG: file,
    SPY_FILE: join(dir, 'spy'),
    VIRTUAL_KUBECONFIG: file,
    HOST_KUBECONFIG: file,
    CLUSTER_KUBECONFIGS: home,
    KUBERNETES_SERVICE_HOST: 'planted.invalid',
    KUBERNETES_SERVICE_PORT: `${port}`,
    HELM_KUBETOKEN: 'planted',
    KUBE_CONFIG_PATH: file,
  }
  const seen = async (): Promise<Seen[]> => {
    const text = await readFile(env.SPY_FILE, 'utf8').catch(() => '')
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  }
  return { dir, env, seen, connections: () => connections }
}

/** A copy of an example whose program begins with the spy. */
async function spied(example: string, dir: string): Promise<string> {
  const folder = join(dir, example)
  await cp(join(root, 'examples', example), folder, { recursive: true })
  await writeFile(join(folder, 'spy.ts'), spy)
  const main = join(folder, 'main.ts')
  await writeFile(main, `import './spy.js'\n${await readFile(main, 'utf8')}`)
  return folder
}

interface Output {
  code: number
  stdout: string
  stderr: string
}

const command = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  new Promise<Output>((resolve) => {
    const call = [join(root, 'bin/vcluster-plugin.js'), ...args]
    const options = { cwd: root, env: { ...process.env, ...env }, timeout: 300_000 }
    const child = execFile(process.execPath, call, options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    )
  })

/** Each command that starts a program, and whether it also runs it. */
const calls: { example: string; args: string[]; runs: boolean }[] = [
  ...(isWholeRun ? ['sidecar', 'in-syncer', 'standalone'] : ['sidecar']).map((mode) => ({
    example: 'sync-all-configmaps',
    args: ['dev', '--once', '--mode', mode],
    runs: true,
  })),
  { example: 'memcached', args: ['dev', '--once'], runs: true },
  { example: 'cnpg-hello-world', args: ['dev', '--once'], runs: true },
  ...(isWholeRun
    ? [{ example: 'sync-all-configmaps', args: ['bench', '--objects', '3', '--changes', '1'], runs: true }]
    : []),
  { example: 'memcached', args: ['bench', '--objects', '3', '--changes', '1'], runs: true },
  { example: 'memcached', args: ['rbac', '--record'], runs: true },
  { example: 'memcached', args: ['manifest'], runs: false },
]

for (const [at, { example, args, runs }] of calls.entries())
  void t.test(`${args.join(' ')} of ${example} gives the program no way to the user's cluster`, async (t) => {
    const { dir, env, seen, connections } = await planted(t)
    const folder = await spied(example, dir)
    const clusters = args[0] === 'dev' ? ['--dir', join(dir, `clusters-${at}`)] : []
    const { stderr } = await command([args[0] ?? '', folder, ...args.slice(1), ...clusters], env)
    const all = await seen()
    t.ok(
      all.some(({ described }) => described),
      `the program described itself: ${stderr}`,
    )
    t.equal(
      all.some(({ described }) => !described),
      runs,
      stderr,
    )
    t.strictSame(
      all.flatMap(({ found }) => found),
      [],
    )
    t.equal(connections(), 0)
  })

void t.test("the module of kinds has no way to the user's cluster", async (t) => {
  const { dir, env, seen } = await planted(t)
  const folder = await spied('memcached', dir)
  const file = join(folder, 'backup.ts')
  await writeFile(file, `import './spy.js'\n${await readFile(file, 'utf8')}`)
  const { code, stderr } = await command(['crd', file], env)
  t.equal(code, 0, stderr)
  t.strictSame(await seen(), [{ found: [], described: false }])
})

/** An operator that needs as long as a program on a busy machine until it describes itself. */
const slow = `import './spy.js'
import { createOperator } from 'vcluster-plugin-sdk/operator'

if (process.env.VCLUSTER_PLUGIN_DESCRIBE === '1') await new Promise((resolve) => setTimeout(resolve, 60_000))
await createOperator({ name: 'slow' }).start()
`

/** Calls that need the description of a program. */
const described = (folder: string, dir: string) => [
  ['dev', folder, '--dir', join(dir, 'clusters')],
  ...(isWholeRun ? [['bench', folder]] : []),
  ['doctor', folder],
]

void t.test('a program that does not describe itself is an error, and is not run', async (t) => {
  const { dir, env, seen, connections } = await planted(t)
  const programs = { slow, silent: "import './spy.js'\n" }
  for (const [name, program] of Object.entries(programs)) {
    const folder = await spied('memcached', join(dir, name))
    await writeFile(join(folder, 'main.ts'), program)
    for (const args of described(folder, dir)) {
      const limit = { VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT: name === 'slow' ? '30' : '60' }
      const { code, stdout, stderr } = await command(args, { ...env, ...limit })
      t.equal(code, 1, args.join(' '))
      const why =
        name === 'slow'
          ? /did not call start\(\) within 30 s; if it only needs more time, set VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT=120 \(seconds\)/
          : /exited without calling start\(\)/
      t.match(args[0] === 'doctor' ? stdout : stderr, why)
    }
  }
  const all = await seen()
  t.equal(all.length, isWholeRun ? 6 : 4)
  t.ok(all.every(({ described, found }) => described && found.length === 0))
  t.equal(connections(), 0)
})

void t.test('the time limit for a description must be a number of seconds', async (t) => {
  const { env } = await planted(t)
  const { code, stderr } = await command(['manifest', 'examples/memcached'], {
    ...env,
    VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT: '2m',
  })
  t.equal(code, 2)
  t.match(stderr, /VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT \(seconds\) must be an integer from 1 to 3600, got "/)
})
