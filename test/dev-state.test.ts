import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { configMapUser } from './config-map-user.js'
import { DevRun } from './dev-run.js'

// These tests start programs, which takes longer on busy machines.
t.setTimeout(600_000)

void t.test('with --state a plugin goes on with the objects of the last run', async (t) => {
  const dir = t.testdir()
  const state = join(dir, 'state')
  const start = async () => {
    const dev = new DevRun([
      ...['dev', 'examples/sync-all-configmaps', '--dir', dir, '--state', state, '--no-watch'],
    ])
    t.teardown(() => dev.signal('SIGKILL'))
    await dev.line(/^4 of 4 samples mirrored/)
    return dev
  }
  const read = async () => {
    const original = await configMapUser(join(dir, 'virtual.kubeconfig')).get('default', 'made')
    const copy = await configMapUser(join(dir, 'host.kubeconfig')).get('vcluster-dev', 'made-x-default-x-dev')
    return [original?.metadata.uid, copy?.metadata.uid, copy?.data?.text]
  }

  const first = await start()
  const metadata = { namespace: 'default', name: 'made' }
  await configMapUser(join(dir, 'virtual.kubeconfig')).create({ metadata, data: { text: 'kept' } })
  await first.line(/^default\/made -> /)
  const before = await read()
  t.match(before, [String, String, 'kept'])
  first.signal('SIGINT')
  t.equal((await first.ended).code, 0)

  const second = await start()
  t.strictSame(await read(), before)
  second.signal('SIGINT')
  t.equal((await second.ended).code, 0)
})

void t.test('with --state an operator goes on with the objects of the last run', async (t) => {
  const dir = t.testdir()
  const run = async () => {
    const dev = new DevRun([
      ...['dev', 'examples/bucket', '--dir', dir, '--state', join(dir, 'state'), '--once'],
    ])
    await dev.line(/^1 of 1 samples handled$/)
    t.equal((await dev.ended).code, 0)
    const kept = (await readFile(join(dir, 'state/main.jsonl'), 'utf8')).split('\n').slice(1, -1)
    return kept.map((line) => JSON.parse(line)).find(({ key }) => key === 'default/photos')?.object.metadata
      .uid
  }
  const uid = await run()
  t.type(uid, 'string')
  t.equal(await run(), uid)
})
