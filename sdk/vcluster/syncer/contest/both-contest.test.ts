import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import { type ConfigMap, configMaps } from '../../../engine/kube/builtin.js'
import { mirrorBoth } from '../translator/mirror.js'
import { contests, hostKey, key, original, pass, rival, turns } from './rival.fixture.js'

const textIs = (text: string) => ({
  body: { data: { text } },
  isSet: ({ data }: ConfigMap) => data?.text === text,
})

void t.test('programs of both clusters that contest a field of both are damped, and told once', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorBoth(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  await turns(100)
  const below = rival({ client: test.host, at: hostKey, ...textIs('theirs') })
  const above = rival({ client: test.virtual, at: key, ...textIs('mine') })
  t.teardown(() => Promise.all([below.end(), above.end()]))
  await pass(clock, 60)
  t.ok(below.writes() >= 3 && below.writes() <= 12, `${below.writes()} writes on the host in a minute`)
  const first = below.writes() + above.writes()
  await pass(clock, 240)
  const later = below.writes() + above.writes() - first
  t.ok(later <= 12, `${later} on both sides in the next four`)
  const [message = '', ...others] = await contests(test)
  t.same(others, [])
  t.match(message, /data of default\/a and of its copy vcluster-vc\/a-x-default-x-vc/)
  t.notMatch(message, /mine|theirs/, 'no value is in it')
  await above.end()
  await pass(clock, 700)
  for (const text of [
    (await test.virtual.get(configMaps, key)).data?.text,
    (await test.host.get(configMaps, hostKey)).data?.text,
  ])
    t.equal(text, 'theirs', 'they agree when one has left')
})

void t.test('requests of one side and answers of the other are brought over at once', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorBoth(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  await turns(100)
  for (const request of ['1', '2', '3', '4', '5', '6', 'on', 'off', 'on', 'off', 'on', 'off', 'on', 'off']) {
    await test.virtual.patch(configMaps, key, { type: 'merge', body: { data: { request } } })
    await turns(60)
    t.equal((await test.host.get(configMaps, hostKey)).data?.request, request)
    const response = `done: ${request}`
    await test.host.patch(configMaps, hostKey, { type: 'merge', body: { data: { response } } })
    await turns(60)
    t.equal((await test.virtual.get(configMaps, key)).data?.response, response)
    await pass(clock, 20)
  }
  t.same(await contests(test), [])
})

void t.test('an Event names ten contested fields, and how many more there are', async (t) => {
  const clock = new VirtualClock()
  const test = await running(
    t,
    (plugin, ctx) => plugin.register(mirrorBoth(ctx, configMaps, { remembers: ['metadata.labels'] })),
    { clock },
  )
  await test.virtual.create(configMaps, original)
  await turns(100)
  const fourteen = (text: string) => ({
    body: {
      metadata: { labels: Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`k${at}`, text])) },
    },
    isSet: ({ metadata }: ConfigMap) => metadata.labels?.k0 === text,
  })
  const below = rival({ client: test.host, at: hostKey, ...fourteen('theirs') })
  const above = rival({ client: test.virtual, at: key, ...fourteen('mine') })
  t.teardown(() => Promise.all([below.end(), above.end()]))
  await pass(clock, 60)
  t.match(await contests(test), [
    /set (metadata\.labels\.k\d+, ){9}metadata\.labels\.k\d+ and 4 more of default\/a/,
  ])
})

void t.test('a program of the host that contests a field of the virtual side is damped', async (t) => {
  const clock = new VirtualClock()
  const test = await running(
    t,
    (plugin, ctx) => plugin.register(mirrorBoth(ctx, configMaps, { remembers: ['metadata.labels'] })),
    { clock },
  )
  await test.virtual.create(configMaps, original)
  await turns(100)
  const { writes, end } = rival({ client: test.host, at: hostKey, ...textIs('theirs') })
  t.teardown(end)
  await pass(clock, 60)
  t.ok(writes() >= 5 && writes() <= 12, `${writes()} exchanges in a minute`)
  t.match(await contests(test), [/sets data\.text of the copy vcluster-vc\/a-x-default-x-vc/])
  await end()
  await pass(clock, 600)
  t.equal((await test.host.get(configMaps, hostKey)).data?.text, 'hi')
})

void t.test('many changes of one side, and some of both, are brought over at once', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorBoth(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  const sides = [
    { from: test.host, at: hostKey, to: test.virtual, other: key },
    { from: test.virtual, at: key, to: test.host, other: hostKey },
  ]
  for (const [round, { from, at, to, other }] of [...sides, ...sides].entries())
    for (let i = 0; i < 8; i++) {
      const text = `${round} ${i}`
      await turns(60)
      await from.patch(configMaps, at, { type: 'merge', body: { data: { text } } })
      await turns(60)
      t.equal((await to.get(configMaps, other)).data?.text, text)
    }
  t.same(await contests(test), [])
})
