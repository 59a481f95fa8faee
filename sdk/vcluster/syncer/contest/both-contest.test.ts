import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import { type ConfigMap, configMaps, secrets } from '../../../engine/kube/builtin.js'
import { lastSyncedAnnotation } from '../../naming/ownership-keys.js'
import { mirrorBoth } from '../translator/mirror.js'
import {
  becomesRare,
  contests,
  hostKey,
  key,
  original,
  pass,
  repeated,
  rival,
  turns,
} from './rival.fixture.js'

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

void t.test('while a field is contested, other fields of its object are brought over at once', async (t) => {
  const clock = new VirtualClock()
  const remembers = ['*', 'metadata.labels'] as const
  const test = await running(
    t,
    (plugin, ctx) => plugin.register(mirrorBoth(ctx, configMaps, { remembers })),
    { clock },
  )
  await test.virtual.create(configMaps, original)
  await turns(100)
  const labelled = (step: string) => ({ body: { metadata: { labels: { step } } } })
  const rivals = [
    rival({ client: test.host, at: hostKey, ...textIs('theirs') }),
    rival({ client: test.virtual, at: key, ...textIs('mine') }),
    rival({
      client: test.host,
      at: hostKey,
      ...labelled('theirs'),
      isSet: ({ metadata }) => metadata.labels?.step === 'theirs',
    }),
    rival({
      client: test.virtual,
      at: key,
      ...labelled('mine'),
      isSet: ({ metadata }) => metadata.labels?.step === 'mine',
    }),
  ]
  t.teardown(() => Promise.all(rivals.map(({ end }) => end())))
  const sides = [
    { from: test.host, at: hostKey, to: test.virtual, other: key },
    { from: test.virtual, at: key, to: test.host, other: hostKey },
  ]
  await pass(clock, 60)
  for (let round = 0; round < 6; round++)
    for (const { from, at, to, other } of sides) {
      const body = {
        binaryData: { b: `${round}AA=` },
        metadata: { labels: { app: `${other.name}${round}` } },
      }
      await from.patch(configMaps, at, { type: 'merge', body })
      await turns(100)
      const { binaryData, metadata } = await to.get(configMaps, other)
      t.match({ data: binaryData, ...metadata }, { data: body.binaryData, ...body.metadata })
      await pass(clock, 5)
    }
  const before = rivals.reduce((sum, { writes }) => sum + writes(), 0)
  await pass(clock, 240)
  const later = rivals.reduce((sum, { writes }) => sum + writes(), 0) - before
  t.ok(later <= 24, `${later} writes of the rivals in four minutes`)
  const [below, above, labelBelow, labelAbove] = rivals
  await Promise.all([above?.end(), labelBelow?.end()])
  await pass(clock, 700)
  for (const { metadata, data } of [
    await test.virtual.get(configMaps, key),
    await test.host.get(configMaps, hostKey),
  ])
    t.match({ labels: metadata.labels, data }, { labels: { step: 'mine' }, data: { text: 'theirs' } })
  await Promise.all([below?.end(), labelAbove?.end()])
})

void t.test('values of a Secret that programs contested agree when both have left', async (t) => {
  const clock = new VirtualClock()
  const remembers = ['*', 'metadata.labels'] as const
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorBoth(ctx, secrets, { remembers })), {
    clock,
  })
  await test.virtual.create(secrets, { metadata: key, data: { text: 'AAAA' } })
  await turns(100)
  const above = { get: () => test.virtual.get(secrets, key), client: test.virtual, at: key, text: 'BBBB' }
  const below = { get: () => test.host.get(secrets, hostKey), client: test.host, at: hostKey, text: 'CCCC' }
  const rivals = [above, below].map(({ get, client, at, text }) =>
    repeated(async () => {
      if ((await get()).data?.text === text) return false
      await client.patch(secrets, at, { type: 'merge', body: { data: { text } } })
      return true
    }),
  )
  t.teardown(() => Promise.all(rivals.map(({ end }) => end())))
  await pass(clock, 60)
  await test.host.patch(secrets, hostKey, { type: 'merge', body: { metadata: { labels: { app: 'web' } } } })
  await turns(100)
  t.equal((await above.get()).metadata.labels?.app, 'web')
  await Promise.all(rivals.map(({ end }) => end()))
  await pass(clock, 100)
  const { data } = await above.get()
  t.ok(['BBBB', 'CCCC'].includes(data?.text ?? ''))
  t.strictSame((await below.get()).data, data)
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

void t.test('a program that changes only the last synced state of a copy is damped', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorBoth(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  await turns(100)
  const body = { metadata: { annotations: { [lastSyncedAnnotation]: 'theirs' } } }
  const isSet = ({ metadata }: ConfigMap) => metadata.annotations?.[lastSyncedAnnotation] === 'theirs'
  const other = rival({ client: test.host, at: hostKey, body, isSet })
  t.teardown(other.end)
  await becomesRare(t, clock, other)
  t.match(await contests(test), [
    /sets metadata\.annotations\["plugin\.vcluster\.loft\.sh\/last-synced"\] of/,
  ])
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
