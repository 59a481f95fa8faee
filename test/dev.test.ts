import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import type { Explanation, TimelineEntry } from '../sdk/engine/inspector/explanation-view.js'
import type { Overview } from '../sdk/engine/inspector/model.js'
import { configMapUser } from './config-map-user.js'
import { DevRun, isAlive, isOpen } from './dev-run.js'
import { until } from './until.js'

// These tests start programs, which takes longer on busy machines.
t.setTimeout(600_000)

const example = 'examples/sync-all-configmaps'

void t.test('the example mirrors the changes of a user and survives crashes', async (t) => {
  const dir = t.testdir()
  const dev = new DevRun(['dev', example, '--dir', dir, '--no-watch'])
  t.teardown(() => dev.signal('SIGKILL'))
  const pid = Number((await dev.line(/started, process (\d+)$/))[1])
  const ports = [
    Number((await dev.line(/^virtual +https:\/\/127\.0\.0\.1:(\d+) /))[1]),
    Number((await dev.line(/^host +https:\/\/127\.0\.0\.1:(\d+) /))[1]),
    Number((await dev.line(/^vcluster +listens on 127\.0\.0\.1:(\d+)$/))[1]),
    Number((await dev.line(/^inspect +http:\/\/127\.0\.0\.1:(\d+)\/inspector\/$/))[1]),
  ]
  await dev.line(/^4 of 4 samples mirrored; the first copy was seen .* after the start$/)
  await dev.line(/kubectl --kubeconfig .*virtual\.kubeconfig create configmap/)
  await dev.line(/kubectl --kubeconfig .*host\.kubeconfig get configmaps -n vcluster-dev -w$/)
  t.ok(
    dev.lines.some((line) =>
      /^default\/greeting -> vcluster-dev\/greeting-x-default-x-dev {2}created {2}[\d.]+ m?s$/.test(line),
    ),
  )

  const virtual = configMapUser(join(dir, 'virtual.kubeconfig'))
  const host = configMapUser(join(dir, 'host.kubeconfig'))
  const made = (text: string) => ({ metadata: { namespace: 'default', name: 'made' }, data: { text } })
  const copy = () => host.get('vcluster-dev', 'made-x-default-x-dev')
  const said = (verb: string) =>
    dev.line(new RegExp(`^default/made -> vcluster-dev/made-x-default-x-dev {2}${verb}`))

  await t.test('a create, an update and a delete are copied', async (t) => {
    await virtual.create(made('one'))
    await said('created')
    t.match(await copy(), {
      data: { text: 'one' },
      metadata: { annotations: { 'vcluster.loft.sh/object-name': 'made' } },
    })
    await virtual.replace(made('two'))
    await said('updated')
    t.strictSame((await copy())?.data, { text: 'two' })
    await virtual.remove('default', 'made')
    await said('deleted')
    t.equal(await copy(), undefined)
  })

  await t.test('why explains an object of the running plugin', async (t) => {
    const why = new DevRun(['why', 'configmap', 'greeting', '--dir', dir])
    t.strictSame(await why.ended, { code: 0, signal: null })
    t.match(why.lines[0], /^in sync +ConfigMap default\/greeting is in sync with vcluster-dev\//)
  })

  await t.test('a copy that a user edits is repaired', async (t) => {
    await virtual.create(made('right'))
    await said('created')
    const right = await copy()
    t.strictSame(right?.data, { text: 'right' })
    if (right) await host.replace({ ...right, data: { text: 'wrong' } })
    // Within a second of the create, an edit counts as a change by the mirror.
    await said('(changed|updated)')
    await said('(repaired|updated)')
    t.strictSame((await copy())?.data, { text: 'right' })
  })

  let latest = pid
  await t.test('a killed plugin restarts and works', async (t) => {
    process.kill(latest, 'SIGKILL')
    await dev.line(/^plugin +ended: it was killed by SIGKILL; restarting now$/)
    latest = Number((await dev.line(/started, process (\d+)$/))[1])
    await virtual.replace(made('after the kill'))
    await said('updated')
    t.strictSame((await copy())?.data, { text: 'after the kill' })
  })

  await t.test('the inspector kept what the killed process did, and runs an object again', async (t) => {
    const url = `http://127.0.0.1:${ports[3]}/inspector/api`
    const asked = 'syncer=configmap&namespace=default&name=made'
    const timeline = async () => {
      const [told] = (await (await fetch(`${url}/why?${asked}`)).json()) as Explanation[]
      return told?.timeline ?? []
    }
    const isLater = (entries: readonly TimelineEntry[], after: number) =>
      entries.slice(after + 1).some(({ what }) => what === 'run')
    // The records of a process arrive a moment after they were made.
    await until(async () => {
      const entries = await timeline()
      return isLater(
        entries,
        entries.findIndex(({ what }) => what === 'process'),
      )
    })
    const entries = await timeline()
    const ended = entries.findIndex((one) => one.what === 'process' && one.verb === 'ended')
    t.match(entries[ended], { text: `process ${pid} was ended by SIGKILL` })
    const before = entries.slice(0, ended).map(({ what }) => what)
    t.ok(before.includes('run') && before.includes('write') && before.includes('change'), String(before))
    const written = entries.find((one) => one.what === 'write' && one.changes?.length)
    t.match(written, { changes: [{ path: 'data.text', from: String, to: String }] })

    const runs = async () => (await timeline()).filter(({ what }) => what === 'run').length
    const known = await runs()
    const again = await fetch(`${url}/run?${asked}`, { method: 'POST', headers: { 'x-inspector': '1' } })
    t.equal(again.status, 200)
    await until(async () => (await runs()) > known)
    const { dev: view } = (await (await fetch(`${url}/overview`)).json()) as Overview
    t.match(view, {
      process: { state: 'running' },
      kubectl: { host: `kubectl --kubeconfig ${join(dir, 'host.kubeconfig')}` },
    })
  })

  await t.test('a restart of the vcluster process restarts the plugin', async (t) => {
    dev.signal('SIGUSR2')
    await dev.line(/^vcluster +restarted/)
    await dev.line(/^plugin +ended: leadership was lost.*; restarting/)
    latest = Number((await dev.line(/started, process (\d+)$/))[1])
    await virtual.replace(made('after the restart'))
    await said('updated')
    t.strictSame((await copy())?.data, { text: 'after the restart' })
  })

  dev.signal('SIGINT')
  t.strictSame(await dev.ended, { code: 0, signal: null })
  t.strictSame(await Promise.all(ports.map(isOpen)), [false, false, false, false], 'no port is left open')
  t.notOk(isAlive(latest), 'no process is left')
  t.strictSame(dev.errors, [])
})

void t.test('--once mirrors the samples, reports it in plain text and exits', async (t) => {
  const dev = new DevRun(['dev', example, '--dir', t.testdir(), '--once'], {
    FORCE_COLOR: '1',
    NO_COLOR: undefined,
  })
  t.strictSame(await dev.ended, { code: 0, signal: null })
  t.match(dev.lines.at(-1), /^4 of 4 samples mirrored; the first copy was seen .* after the start$/)
  t.notMatch(dev.lines.join('\n'), '\u001b')
  t.strictSame(dev.errors, [])
})

const stamping = `
import { configMaps, NamespacedTranslator, plugin } from 'vcluster-plugin-sdk'

class Stamping extends NamespacedTranslator {
  async syncDown(ctx, virtual) {
    return this.syncDownCreate(ctx, virtual, { ...this.translateMetadata(virtual), data: { stamp: 'one' } })
  }

  async sync() {
    return undefined
  }
}

const ctx = await plugin.init()
plugin.register(new Stamping(ctx, 'stamping', configMaps))
await plugin.start()
`

void t.test('a change of its source restarts the plugin', async (t) => {
  const dir = t.testdir({ 'main.ts': stamping })
  // A hidden folder is not watched: clients keep caches next to the kubeconfigs.
  const clusters = join(dir, '.clusters')
  const dev = new DevRun(['dev', dir, '--dir', clusters, '--name', 'other'])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/^3 of 3 samples mirrored/)
  await dev.line(/^Ctrl-C stops everything/)
  const main = join(dir, 'main.ts')
  const source = (await readFile(main, 'utf8')).replace("'one'", "'two'")
  await writeFile(main, source.replace('class Stamping', 'class = Stamping'))
  await dev.line(/main\.ts changed, restarting$/)
  await dev.line(/^ +> 4 \| class = Stamping/)
  await dev.line(/^dev +waiting for the next save$/)
  await writeFile(main, source)
  await dev.line(/main\.ts changed, restarting$/)
  const pid = Number((await dev.line(/started, process (\d+)$/))[1])

  const virtual = configMapUser(join(clusters, 'virtual.kubeconfig'))
  const host = configMapUser(join(clusters, 'host.kubeconfig'))
  await virtual.create({ metadata: { namespace: 'default', name: 'late' } })
  await dev.line(/^default\/late -> vcluster-other\/late-x-default-x-other {2}created/)
  t.strictSame((await host.get('vcluster-other', 'late-x-default-x-other'))?.data, { stamp: 'two' })
  process.kill(pid, 'SIGSTOP')
  await dev.line(/^plugin +has not answered for [\d.]+ s: a signal or a debugger has stopped its process$/)
  process.kill(pid, 'SIGCONT')
  await dev.line(/^plugin +answers again, after [\d.]+ s$/)
  dev.signal('SIGTERM')
  t.strictSame(await dev.ended, { code: 0, signal: null })
})

/** Holds a connection to the test, which shows when it ends, and ignores SIGTERM. */
const stubborn = `
import { connect } from 'node:net'

process.on('SIGTERM', () => console.log('no'))
connect(Number(process.env.PROBE_PORT), '127.0.0.1')
`

async function probe() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connected = once(server, 'connection').then(([socket]) => {
    server.close()
    socket.resume()
    return {
      closed: once(
        socket.on('error', () => {}),
        'close',
      ),
    }
  })
  return { env: { PROBE_PORT: String(port) }, connected }
}

void t.test('a plugin that ignores SIGTERM is killed when dev stops', async (t) => {
  const dir = t.testdir({ 'main.ts': stubborn })
  const { env, connected } = await probe()
  const dev = new DevRun(['dev', dir, '--dir', join(dir, 'clusters'), '--no-watch'], env)
  const { closed } = await connected
  dev.signal('SIGINT')
  t.strictSame(await dev.ended, { code: 0, signal: null })
  await closed
})

void t.test('a plugin ends with dev, even if dev is killed', async (t) => {
  const dir = t.testdir({ 'main.ts': stubborn })
  const { env, connected } = await probe()
  const dev = new DevRun(['dev', dir, '--dir', join(dir, 'clusters'), '--no-watch'], env)
  const { closed } = await connected
  dev.signal('SIGKILL')
  await closed
  t.strictSame(await dev.ended, { code: null, signal: 'SIGKILL' })
})
