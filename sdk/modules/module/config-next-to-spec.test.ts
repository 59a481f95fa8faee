import t from 'tap'
import { modules } from '../kinds/module-kind.js'
import { annotate, moduleOf, startTimed } from './modules.fixture.js'

const config = [
  { name: 'Size', alias: 'size', integer: { default: 1, min: 1 } },
  { name: 'Plans', alias: 'plans', multipleOptions: { values: ['free', 'paid'], max: 1 } },
  { type: 'string', name: 'Key', alias: 'key', spec: { required: true, regex: '^[a-z]+$' } },
]

void t.test('the schema of the configuration may be next to the spec, in both spellings', async (t) => {
  const test = await startTimed(t)
  await test.client.create(modules, { ...moduleOf({ config: { key: 'abc' } }), config })
  await test.pass(0)
  const made = await test.live()
  t.match(made.status, { phase: 'ready' })
  t.strictSame(made.config, config, 'the API server keeps it')
  t.strictSame(test.noting.calls[0]?.config, { size: 1, plans: [], key: 'abc' })

  const wrong = { size: 0, plans: ['free', 'paid'], other: 1 }
  await test.client.create(modules, { ...moduleOf({ config: wrong }, { name: 'wrong' }), config })
  await test.pass(0)
  const { status } = await test.live('wrong')
  t.match(status, { phase: 'failed', operation: { reason: 'InvalidConfig' } })
  for (const part of ['config.size', 'config.plans', 'config.key is required', '"other"'])
    t.ok(status?.message?.includes(part), `${part} in ${status?.message}`)
})

void t.test('a schema in two places is refused, and a change of it is a change of the Module', async (t) => {
  const test = await startTimed(t)
  const source = { raw: { kind: 'Noting', config } }
  await test.client.create(modules, { ...moduleOf({ source }, { name: 'twice' }), config })
  await test.client.create(modules, { ...moduleOf({ config: { key: 'abc' } }), config })
  await test.pass(0)
  t.match((await test.live('twice')).status, {
    phase: 'failed',
    message: /in config next to spec: remove one/,
  })
  await annotate(test, { unrelated: '1' })
  const { metadata } = await test.live()
  const changed = { ...(await test.live()), config: config.slice(2) }
  await test.client.update(modules, { ...changed, metadata })
  await test.pass(0)
  t.match((await test.live()).status?.conditions?.[2], { status: 'True', reason: 'Immutable' })
})
