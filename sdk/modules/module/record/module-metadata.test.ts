import t from 'tap'
import { secrets } from '../../../engine/kube/builtin.js'
import type { Logger } from '../../../engine/observe/logger.js'
import { modules } from '../../kinds/module-kind.js'
import { annotate, moduleOf, shop, startTimed, type TimedTest } from '../modules.fixture.js'

const annotation = 'forkspacer.com/manager-data'
const storedIn = async (test: TimedTest) =>
  JSON.parse((await test.live()).metadata.annotations?.[annotation] ?? '{}')

void t.test(
  'metadata is stored by save, and after a success, an error and an abort, before the phase changes',
  async (t) => {
    const writes: string[] = []
    const test = await startTimed(t, {
      wrap: (inner) => ({
        request: (request) => {
          const { status, metadata } = JSON.parse(String(request.body || '{}'))
          if (status?.phase && request.path.includes('/modules/')) writes.push(status.phase)
          if (metadata?.annotations?.[annotation]) writes.push('metadata')
          return inner.request(request)
        },
        stream: (request) => inner.stream(request),
        close: () => inner.close(),
      }),
    })
    let saved: unknown
    test.noting.behaviour.install = async ({ metaData }) => {
      metaData.set('checkpoint', 1)
      await metaData.save()
      saved = await storedIn(test)
      metaData.set('installed', 2)
    }
    await test.client.create(modules, moduleOf())
    await test.pass(10)
    t.strictSame(saved, { checkpoint: 1 }, 'by save')
    t.strictSame(await storedIn(test), { checkpoint: 1, installed: 2 }, 'after a success')
    t.strictSame(writes, ['installing', 'metadata', 'metadata', 'ready'])

    let before: unknown
    test.noting.behaviour.sleep = async ({ metaData, ctx }) => {
      before ??= [await storedIn(test), (await test.live()).status?.operation?.kind]
      metaData.set('sleep', ctx.attempt)
      if (ctx.attempt === 1) throw new Error('no luck')
      await new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)))
    }
    await test.change({ hibernated: true })
    await test.pass(10)
    t.strictSame(before, [{ checkpoint: 1, installed: 2 }, 'sleep'], 'the operation is known before its call')
    t.match((await test.live()).status, { phase: 'sleeping', operation: { lastError: 'no luck' } })
    t.match(await storedIn(test), { sleep: 1 }, 'after an error')
    await test.pass(1_200)
    let found: unknown
    test.noting.behaviour.resume = ({ metaData }) => {
      found = metaData.get('sleep')
    }
    await test.change({ hibernated: false })
    await test.clock.advance(100)
    await test.pass(10)
    t.match(await storedIn(test), { sleep: 2 }, 'after an abort')
    t.equal(found, 2)
    t.strictSame(test.noting.texts.slice(-2), ['sleep 2 retry', 'resume 1 first'])
  },
)

void t.test('64 KiB of metadata stay in the annotation, and one byte more does not', async (t) => {
  const test = await startTimed(t)
  const most = 64 * 1024 - '{"large":""}'.length
  test.noting.behaviour.install = ({ metaData }) => metaData.set('large', 'x'.repeat(most))
  test.noting.behaviour.sleep = ({ metaData }) => metaData.set('large', 'x'.repeat(most + 1))
  await test.client.create(modules, moduleOf())
  await test.pass(10)
  const key = { namespace: 'default', name: 'shop-manager-data' }
  t.equal((await storedIn(test)).large.length, most)
  await t.rejects(test.client.get(secrets, key), { code: 404 })
  await test.change({ hibernated: true })
  await test.pass(10)
  t.strictSame(await storedIn(test), {})
  t.ok(await test.client.get(secrets, key))
})

for (const [length, secret] of [
  [240, /^x{240}-manager-data$/],
  [253, /^x{242}-[0-9a-f]{10}$/],
] as const)
  void t.test(`a Module with a name of ${length} characters has a Secret for its metadata`, async (t) => {
    const test = await startTimed(t)
    const large = 'x'.repeat(65 * 1024)
    test.noting.behaviour.install = ({ metaData }) => metaData.set('large', large)
    let found: unknown
    test.noting.behaviour.sleep = ({ metaData }) => {
      found = metaData.get('large')
    }
    const name = 'x'.repeat(length)
    await test.client.create(modules, moduleOf({ hibernated: true }, { name }))
    await test.pass(0)
    const { items } = await test.client.list(secrets, { namespace: 'default' })
    t.match(
      items.map(({ metadata }) => metadata.name),
      [secret],
    )
    t.equal(found, large)
  })

void t.test('metadata that somebody else changes during a call is not overwritten', async (t) => {
  const test = await startTimed(t)
  let failed: unknown
  test.noting.behaviour.install = async ({ metaData, ctx }) => {
    if (ctx.attempt > 1) return
    await annotate(test, { 'forkspacer.com/manager-data': '{"by":"hand"}' })
    metaData.set('by', 'program')
    await metaData.save().catch((error: unknown) => {
      failed = error
      throw error
    })
  }
  await test.client.create(modules, moduleOf())
  await test.pass(0)
  t.match(failed, {
    name: 'MetaDataError',
    code: 'METADATA_CONFLICT',
    message: /^the metadata of Module default\/shop was changed by another client.*annotation forkspacer/,
  })
  t.equal((await test.live()).metadata.annotations?.['forkspacer.com/manager-data'], '{"by":"hand"}')
  await test.pass(1_200)
  t.match((await test.live()).status, { phase: 'ready' })
})

for (const text of ['null', '{"cut', '[1]', '"text"', ''])
  void t.test(`metadata that cannot be read is left alone until somebody mends it: ${text}`, async (t) => {
    const test = await startTimed(t)
    const module = moduleOf()
    const broken = { 'forkspacer.com/manager-data': text }
    await test.client.create(modules, { ...module, metadata: { ...module.metadata, annotations: broken } })
    await test.pass(600_000)
    t.match((await test.live()).status, { phase: 'failed', operation: { reason: 'BadMetaData' } })
    t.equal((await test.live()).metadata.annotations?.['forkspacer.com/manager-data'], text)
    t.strictSame(test.noting.texts, [])
    await annotate(test, { 'forkspacer.com/manager-data': '{"kept":1}' })
    await test.pass(0)
    t.match((await test.live()).status, { phase: 'ready' })
    t.strictSame(test.noting.calls[0]?.metaData.get('kept'), 1)
  })

void t.test('metadata of more than 64 KiB moves to a Secret, and stays there', async (t) => {
  const test = await startTimed(t)
  const large = 'x'.repeat(65 * 1024)
  test.noting.behaviour.install = async ({ metaData }) => {
    metaData.set('small', 1)
    await metaData.save()
    metaData.set('large', large)
  }
  let tooLarge: unknown
  let found: unknown
  test.noting.behaviour.sleep = ({ metaData }) => {
    found = metaData.toJSON()
    try {
      metaData.set('huge', 'x'.repeat(1024 * 1024))
    } catch (error) {
      tooLarge = error
    }
    metaData.delete('large')
  }
  await test.client.create(modules, moduleOf())
  await test.pass(0)
  const { metadata } = await test.live()
  t.equal(metadata.annotations?.['forkspacer.com/manager-data'], undefined)
  const key = { namespace: 'default', name: 'shop-manager-data' }
  t.equal((await test.client.get(secrets, key)).metadata.ownerReferences?.[0]?.uid, metadata.uid)
  await test.change({ hibernated: true })
  await test.pass(0)
  t.strictSame(found, { small: 1, large })
  t.match(tooLarge, { code: 'METADATA_TOO_LARGE', message: / 11\d{5} bytes .* 921600; .* "huge"$/ })
  const { data = {} } = await test.client.get(secrets, key)
  t.strictSame(JSON.parse(Buffer.from(data.metadata ?? '', 'base64').toString()), { small: 1 })
})

void t.test(
  'a wrong configuration is refused with every mistake, and is not a secret in the metadata',
  async (t) => {
    const lines: unknown[] = []
    const note = (fields: object, message: string) => {
      const { error } = fields as { error?: unknown }
      lines.push({ ...fields, message, error: error instanceof Error ? error.stack : error })
    }
    const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger }
    const test = await startTimed(t, { logger })
    const raw = {
      kind: 'Noting',
      config: [
        { name: 'Size', alias: 'size', integer: { max: 5 } },
        { name: 'Password', alias: 'password', string: { required: true, secret: true } },
      ],
    }
    await test.client.create(modules, moduleOf({ source: { raw }, config: { size: 7, sise: 1 } } as never))
    await test.pass(0)
    t.match((await test.live()).status, {
      phase: 'failed',
      operation: { reason: 'InvalidConfig' },
      message:
        'config.size must be at most 5, got 7; config.password is required; set it; config has the value "sise", which is unknown; did you mean size?',
    })
    test.noting.behaviour.install = ({ metaData, config, ctx }) => {
      if (ctx.attempt === 2) metaData.set('login', `admin:${config.password}`)
      if (ctx.attempt === 3) throw new Error(`hunter22 was refused by the database`)
    }
    await test.client.patch(modules, shop, {
      type: 'json',
      body: [{ op: 'replace', path: '/spec/config', value: { password: 'hunter22' } }],
    })
    await test.pass(0)
    const refused = await test.live()
    t.match(refused.status?.message, /the value of a secret configuration field/)
    t.equal(refused.metadata.annotations?.['forkspacer.com/manager-data'], undefined)
    await test.pass(2_300)
    t.match((await test.live()).status?.message, '[secret] was refused by the database')
    t.match(JSON.stringify(lines), /was refused by the database/)
    t.notMatch(JSON.stringify(lines), /hunter22/, 'nor in the log')
  },
)

void t.test('metadata is not searched for thousands of secret texts, but kept in a Secret', async (t) => {
  const test = await startTimed(t)
  const values = Array.from({ length: 1_001 }, (_, index) => `secret-${index}`)
  const raw = {
    kind: 'Noting',
    config: [{ name: 'Keys', alias: 'keys', multipleOptions: { values, default: values, secret: true } }],
  }
  test.noting.behaviour.install = ({ metaData, config }) => {
    metaData.set('login', config.keys)
  }
  await test.client.create(modules, moduleOf({ source: { raw } } as never))
  await test.pass(0)
  const { metadata, status } = await test.live()
  t.equal(status?.phase, 'ready')
  t.equal(metadata.annotations?.[annotation], undefined)
  const { data = {} } = await test.client.get(secrets, { namespace: 'default', name: 'shop-manager-data' })
  t.match(Buffer.from(data.metadata ?? '', 'base64').toString(), /secret-1000/)
})
