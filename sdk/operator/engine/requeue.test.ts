import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { backup, backups, key } from '../backups.fixture.js'
import { requeue } from '../controller/definition.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'

void t.test('a run replaces the timer of its key, whatever caused it', async (t) => {
  const clock = new VirtualClock()
  const runs: number[] = []
  const { client, settled } = await recordedOperator(
    t,
    {
      reconcile() {
        runs.push(clock.now() / 1000)
        return runs.length < 3 ? requeue({ afterMs: 60_000, exact: true }) : undefined
      },
    },
    { clock, servers: { main: await createApiServer({ clock }) } },
  )
  await client.create(backups, backup(1))
  await settled()
  await clock.advance(10_000)
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  await settled()
  await clock.advance(59_000)
  t.same(runs, [0, 10], 'the first timer would have run the key at 60 s')
  await clock.advance(3_600_000)
  t.same(runs, [0, 10, 70], 'the last run asked for no other')
})

void t.test('many keys that ask for the same time are spread over a fifth of it', async (t) => {
  const clock = new VirtualClock()
  const runs = new Map<string, number[]>()
  const { client, settled } = await recordedOperator(
    t,
    {
      reconcile(_ctx, { metadata: { name = '' } }) {
        const of = runs.get(name) ?? []
        runs.set(name, [...of, clock.now()])
        return of.length === 0 ? requeue({ afterMs: 600_000 }) : undefined
      },
    },
    { clock, servers: { main: await createApiServer({ clock }) } },
  )
  const names = Array.from({ length: 1000 }, (_, index) => `b-${index}`)
  for (const name of names) await client.create(backups, { ...backup(1), metadata: { ...key, name } })
  await settled()
  await clock.advance(700_000)
  const seconds = [...runs.values()].map(([, second = 0]) => Math.floor(second / 1000))
  t.equal(seconds.length, 1000)
  t.ok(seconds.every((second) => second >= 540 && second <= 660))
  const perSecond = new Map<number, number>()
  for (const second of seconds) perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
  t.ok(Math.max(...perSecond.values()) < 30, 'about eight keys run in each second')
})
