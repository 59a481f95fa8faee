// Tests 200 releases that are installed at once: each one is, no more at a time than permitted, and no object twice at
// once.
import t from 'tap'
import { configMaps } from '../../engine/kube/builtin.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import { greetings } from './greetings.fixture.js'
import { start } from './reconciled.fixture.js'

const count = 200
const most = 4

void t.test('200 custom resources get their releases, four at a time', async (t) => {
  const running = new Set<string>()
  const problems: string[] = []
  let peak = 0
  const test = await start(t, {
    maxConcurrentReconciles: most,
    preHooks: [
      async ({ resource }) => {
        const id = formatKey(keyOf(resource))
        if (running.has(id)) problems.push(`${id} ran twice at once`)
        running.add(id)
        peak = Math.max(peak, running.size)
        await new Promise((resolve) => setImmediate(resolve))
        running.delete(id)
      },
    ],
  })
  // One namespace does not get all workers.
  for (let at = 0; at < count; at++) {
    const metadata = { namespace: at % 2 === 0 ? 'default' : 'kube-public', name: `hello-${at}` }
    await test.client.create(greetings, { metadata, spec: { text: metadata.name } })
  }
  await test.settled()
  const { items } = await test.client.list(greetings)
  const deployed = items.filter(({ status }) => status?.deployedRelease?.revision === 1)
  t.equal(deployed.length, count)
  const made = await test.client.list(configMaps)
  t.equal(made.items.filter(({ data, metadata }) => data?.text === metadata.name).length, count)
  t.equal(peak, most, 'at a time')
  t.strictSame(problems, [])
})
