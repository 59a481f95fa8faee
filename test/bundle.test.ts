import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startVClusterProcess } from 'vcluster-plugin-sdk/testing'

const root = fileURLToPath(new URL('..', import.meta.url))
const outfile = `${t.testdir()}/main.mjs`

await t.test('the bundle is made by the script that the image runs', async (t) => {
  const made = run('scripts/bundle.mjs', 'examples/sync-all-configmaps/main.ts', outfile)
  t.match(await made.end, { code: 0, stderr: '', stdout: /main\.mjs {2}\d+ KiB/ })
})

void t.test('without an environment the bundle says in one sentence what is missing', async (t) => {
  const { code, stderr } = await run(outfile).end
  t.equal(code, 1)
  t.equal(stderr.trim().split('\n').length, 1, stderr)
  for (const name of ['VIRTUAL_KUBECONFIG', 'HOST_KUBECONFIG', 'VCLUSTER_NAME', 'TARGET_NAMESPACE'])
    t.match(stderr, `${name}`)
})

void t.test('beside a vcluster the bundle registers, and SIGTERM stops it well', async (t) => {
  const kubeconfig = unreachableKubeconfig()
  const waitsFor = ['sync-all-configmaps']
  const vcluster = await startVClusterProcess({
    virtualKubeconfig: kubeconfig,
    hostKubeconfig: kubeconfig,
    waitsFor,
  })
  t.teardown(() => vcluster.stop())
  const plugin = start({
    VCLUSTER_PLUGIN_NAME: 'sync-all-configmaps',
    VCLUSTER_PLUGIN_ADDRESS: 'localhost:14000',
    VCLUSTER_LISTEN_ADDRESS: vcluster.address,
  })
  t.match(await vcluster.registered('sync-all-configmaps'), { address: '127.0.0.1:14000' })
  plugin.child.kill('SIGTERM')
  t.match(await plugin.end, { code: 0, stderr: '' })
})

/** A cluster that nobody needs to reach before the plugin has registered. */
function unreachableKubeconfig(): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'local',
    clusters: [{ name: 'local', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'local', user: { token: 'none' } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'local' } }],
  })
}

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

function run(...args: string[]) {
  return start({}, args)
}

function start(env: Record<string, string>, args = [outfile]) {
  const child = spawn(process.execPath, args, { cwd: root, env: { PATH: process.env.PATH ?? '', ...env } })
  t.teardown(() => child.kill('SIGKILL'))
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  const end = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...said }))
  return { child, end }
}
