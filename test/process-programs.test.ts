// Tests how a program handles its process: signals, health and metrics, and the end of a program that fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startVClusterProcess } from '../simulator/vcluster-process.js'
import { typeScriptFlags } from './plugin-process.js'

t.setTimeout(600_000)

/** A kubeconfig of a server that is gone. */
const kubeconfig = `{clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}], users: [{name: u, user: {}}],
  contexts: [{name: x, context: {cluster: c, user: u}}], current-context: x}`

/** The status of a program that ends by itself, and what it prints. */
async function run(main: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [...typeScriptFlags(main), main], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: child.exitCode, stdout, stderr }
}

void t.test('start() of a plugin resolves after a signal, and the program goes on', async (t) => {
  const vcluster = await startVClusterProcess({ virtualKubeconfig: kubeconfig, hostKubeconfig: kubeconfig })
  t.teardown(() => vcluster.stop())
  const env = { VCLUSTER_PLUGIN_NAME: 'test', VCLUSTER_LISTEN_ADDRESS: vcluster.address }
  const [shared, own] = await Promise.all([
    run('test/stopped-program.ts', env),
    run('test/stopped-program.ts', { ...env, HAS_LOGGER: 'yes' }),
  ])
  t.same(shared, { status: 7, stdout: 'start() resolved\n', stderr: '' })
  t.same(
    own,
    { status: 7, stdout: '503 200\nstart() resolved\n', stderr: '' },
    'it serves health and metrics',
  )
})

void t.test('a signal while a plugin waits for its clusters ends the process', async (t) => {
  const env = { VCLUSTER_PLUGIN_NAME: 'test', VCLUSTER_LISTEN_ADDRESS: '127.0.0.1:1', STOPS_AT: 'init' }
  t.same(await run('test/stopped-program.ts', env), { status: 0, stdout: '', stderr: '' })
})

void t.test('a failure that a program does not catch is one sentence', async (t) => {
  const badKubeconfig = `${t.testdir({ bad: 'a: [' })}/bad`
  const operator = await run('examples/memcached/main.ts', { KUBECONFIG: badKubeconfig })
  t.match(operator, { status: 1, stdout: '', stderr: /^kubeconfig .*bad does not parse: .*\n$/ })
  const cnpg = await run('examples/cnpg-hello-world/main.ts', { METRICS_ADDRESS: 'nowhere' })
  t.match(cnpg, { status: 1, stdout: '', stderr: /^METRICS_ADDRESS must be .*\n$/ })
})
