import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps, namespaces } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import { backup, backups, key } from '../backups.fixture.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'

const ending = { namespace: '', name: 'ending' }
const at = { namespace: 'ending', name: 'settings' }
const hold = { namespace: 'ending', name: 'holds' }

void t.test('an object whose namespace is being deleted waits for its end, without an error', async (t) => {
  const clock = new VirtualClock()
  const warnings: string[] = []
  const note = (_: object, text: string) => void warnings.push(text)
  const logger: Logger = { ...silentLogger, warn: note, error: note, child: () => logger }
  const servers = { main: await createApiServer({ clock }) }
  const { client, settled, writes } = await recordedOperator(
    t,
    {
      owns: [configMaps],
      reconcile: async (ctx) => void (await ctx.apply(configMaps, { metadata: { ...at } })),
    },
    { clock, logger, servers },
  )
  await client.create(namespaces, { metadata: { name: 'ending' } })
  await client.create(configMaps, { metadata: { ...hold, finalizers: ['a.b/hold'] } })
  await client.delete(namespaces, ending)
  await client.create(backups, backup(1))
  await settled()
  const tries = () => writes.filter((write) => write.includes('configmaps')).length
  t.equal(tries(), 1)
  const problem = async () =>
    (await client.get(backups, key)).status?.conditions?.find(({ type }) => type === 'Reconciling')
  t.match(await problem(), {
    status: 'True',
    reason: 'Waiting',
    message: /its namespace, which is being deleted/,
  })
  await clock.advance(120_000)
  t.ok(tries() >= 10 && tries() <= 15, `${tries()} tries in two minutes`)
  t.same(warnings, [])
  await client.patch(configMaps, hold, merge({ metadata: { finalizers: null } }))
  const isThere = () =>
    client.get(namespaces, ending).then(
      () => true,
      (error: unknown) => !isNotFound(error) && Promise.reject(error),
    )
  while (await isThere()) await clock.advance(100)
  await client.create(namespaces, { metadata: { name: 'ending' } })
  await clock.advance(15_000)
  t.ok(await client.get(configMaps, at))
  t.equal(await problem(), undefined)
})

void t.test('an object that is no longer selected is released when its run need not wait', async (t) => {
  const clock = new VirtualClock()
  const servers = { main: await createApiServer({ clock }) }
  let released = 0
  const { client } = await recordedOperator(
    t,
    {
      labelSelector: 'mine=yes',
      owns: [configMaps],
      finalize: async () => {},
      reconcile: async (ctx) => {
        if (ctx.selected) return
        await ctx.apply(configMaps, { metadata: { ...at } })
        released++
      },
    },
    { clock, servers },
  )
  const finalizers = async () => (await client.get(backups, key)).metadata.finalizers ?? []
  await client.create(namespaces, { metadata: { name: 'ending' } })
  await client.create(configMaps, { metadata: { ...hold, finalizers: ['a.b/hold'] } })
  await client.create(backups, { ...backup(1), metadata: { ...key, labels: { mine: 'yes' } } })
  await clock.advance(1000)
  t.equal((await finalizers()).length, 1)
  await client.delete(namespaces, ending)
  await client.patch(backups, key, merge({ metadata: { labels: { mine: 'no' } } }))
  await clock.advance(30_000)
  t.equal((await finalizers()).length, 1, 'its last run waits for the namespace')
  await client.patch(configMaps, hold, merge({ metadata: { finalizers: null } }))
  while (await client.get(namespaces, ending).catch(() => undefined)) await clock.advance(100)
  await client.create(namespaces, { metadata: { name: 'ending' } })
  await clock.advance(30_000)
  t.same(await finalizers(), [])
  t.equal(released, 1)
})
