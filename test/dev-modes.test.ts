// Tests `vcluster-plugin dev` in the modes in-syncer and standalone, and with faults.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { configMapUser } from './config-map-user.js'
import { DevRun, isAlive, isOpen } from './dev-run.js'

// These tests start programs, which takes longer on busy machines.
t.setTimeout(600_000)
t.jobs = 2

const example = 'examples/sync-all-configmaps'
const started = /started, process (\d+)$/

void t.test('inside a vcluster process the plugin mirrors, and restarts with it', async (t) => {
  const dir = t.testdir()
  const dev = new DevRun(['dev', example, '--dir', dir, '--no-watch', '--mode', 'in-syncer'])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/^vcluster +starts the plugin inside its container$/)
  const inspector = Number((await dev.line(/^inspect +http:\/\/127\.0\.0\.1:(\d+)\/inspector\/$/))[1])
  const pid = Number((await dev.line(started))[1])
  await dev.line(/^4 of 4 samples mirrored/)
  t.ok(await isOpen(inspector), 'the inspector is served')
  await dev.line(/^Try next/)
  const virtual = configMapUser(join(dir, 'virtual.kubeconfig'))
  await virtual.create({ metadata: { namespace: 'default', name: 'made' }, data: { text: 'one' } })
  await dev.line(/^default\/made -> vcluster-dev\/made-x-default-x-dev {2}created/)

  process.kill(pid, 'SIGKILL')
  await dev.line(/^plugin +ended: it was killed by SIGKILL; restarting now$/)
  await dev.line(/^vcluster +leads; interceptors see requests to https:/)
  dev.signal('SIGUSR2')
  const last = Number((await dev.line(started))[1])
  await dev.line(/^vcluster +leads; interceptors see requests to https:/)
  await virtual.replace({ metadata: { namespace: 'default', name: 'made' }, data: { text: 'two' } })
  await dev.line(/^default\/made -> vcluster-dev\/made-x-default-x-dev {2}updated/)

  dev.signal('SIGINT')
  t.strictSame(await dev.ended, { code: 0, signal: null })
  t.notOk(isAlive(last), 'no process is left')
  t.notOk(await isOpen(inspector), 'no port is left open')
  t.strictSame(dev.errors, [])
})

void t.test('standalone the plugin mirrors while it holds its Lease', async (t) => {
  const dir = t.testdir()
  const dev = new DevRun(['dev', example, '--dir', dir, '--no-watch', '--mode', 'standalone'])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/^vcluster +none: the plugin runs standalone and takes a Lease$/)
  await dev.line(/^4 of 4 samples mirrored/)
  dev.signal('SIGUSR2')
  await dev.line(/^dev +there is no vcluster process to restart: the plugin runs standalone$/)
  dev.signal('SIGTERM')
  t.strictSame(await dev.ended, { code: 0, signal: null })
  t.strictSame(dev.errors, [])
})

void t.test('requests of users of the virtual cluster go through the plugin’s interceptors', async (t) => {
  const dir = t.testdir()
  const dev = new DevRun(['dev', 'examples/interceptor', '--dir', dir, '--no-watch'])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/^vcluster +leads; interceptors see requests to https:\S+$/)
  const kubeconfig = await loadKubeconfig({ file: join(dir, 'virtual.kubeconfig') })
  const user = createTransport({ kubeconfig })
  const get = (path: string) => user.request({ method: 'GET', path })
  const refused = await get('/plugin/access')
  t.equal(refused.status, 401)
  t.match(JSON.parse(refused.body.toString()), { message: 'send a token of the virtual cluster' })
  t.equal((await get('/api/v1/namespaces/default')).status, 200, 'requests without a rule go to the cluster')
  const http1 = await promisify(execFile)(process.execPath, [
    '-e',
    overHttp1,
    `${kubeconfig.server}/plugin/access`,
  ])
  t.equal(http1.stdout, '401')
  await user.close()
  dev.signal('SIGTERM')
  t.match(await dev.ended, { code: 0 })
})

/** Requests a URL over HTTP/1.1 and prints the status. */
const overHttp1 = `
  require('https').get(process.argv[1], { rejectUnauthorized: false, agent: false }, (answer) => {
    process.stdout.write(String(answer.statusCode))
    answer.resume()
  })`

void t.test(
  'a plugin works on clusters that are slow, fail and disconnect, and other users see no faults',
  async (t) => {
    const dir = t.testdir()
    const faults = ['--faults', 'latency=20ms,errors=20%,cut=1s']
    const dev = new DevRun(['dev', example, '--dir', dir, '--no-watch', ...faults])
    t.teardown(() => dev.signal('SIGKILL'))
    await dev.line(
      /^faults +only for the program: responses delayed by 20 ms, 20% of requests fail, watches cut after 1\.0 s$/,
    )
    await dev.line(/^\d of 4 samples mirrored/)
    await dev.line(
      /^plugin +warn (the cluster does not answer|watches of the cluster broke off); .*ECONNRESET/,
    )
    const virtual = configMapUser(join(dir, 'virtual.kubeconfig'))
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const made = (name: string) => ({ metadata: { namespace: 'default', name } })
    await Promise.all(names.map((name) => virtual.create(made(name))))
    const copied = () =>
      dev.lines.join('\n').match(/^default\/\w -> vcluster-dev\/\w-x-default-x-dev {2}created/gm)
    while (new Set(copied()).size < names.length) await dev.line(/^default\/\w -> /)
    dev.signal('SIGTERM')
    t.match(await dev.ended, { code: 0 })
  },
)

const failing = {
  thrown: "await Promise.resolve()\nthrow new Error('no database')\n",
  refused:
    "import { plugin } from 'vcluster-plugin-sdk'\n\nawait plugin.init()\nawait Promise.reject(new Error('no'))\n",
}

void t.test('the failure of a plugin at its start inside a vcluster process is reported once', async (t) => {
  const folders = Object.entries(failing).map(([name, main]) => [name, { 'main.ts': main }])
  const dir = t.testdir(Object.fromEntries(folders))
  const saying = Object.keys(failing).map(async (name) => {
    const dev = new DevRun(['dev', join(dir, name), '--dir', join(dir, `${name}-dir`), '--mode', 'v2'])
    t.match(await dev.ended, { code: 1 })
    return dev.errors.join('\n')
  })
  const [thrown, refused] = await Promise.all(saying)
  t.match(thrown, /^vcluster-plugin: the program in \S+ failed at start: no database \(\S+main\.ts:2:\d+\)$/)
  t.match(refused, /^vcluster-plugin: the program in \S+ failed at start: no \(\S+main\.ts:4:\d+\)$/)
})
