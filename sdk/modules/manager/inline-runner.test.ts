import t from 'tap'
import * as z from 'zod'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { PermanentError } from '../../engine/kube/error.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { MetaData } from '../metadata/metadata.js'
import { inlineRunner } from './inline-runner.js'
import type { Manager, OperationContext } from './manager.js'
import type { ModuleCluster } from './module-cluster.js'
import { defineProgram } from './program.js'
import { until } from './until.js'

const module = { name: 'shop', namespace: 'default', uid: 'u1', workspace: 'default/dev' }
const cluster = {} as ModuleCluster
const ctx = {} as OperationContext
const metaData = () => new MetaData({ store: async () => {}, maxBytes: 1_000 })
const nothing: Manager = { install() {}, uninstall() {}, sleep() {}, resume() {} }

void t.test(
  'a manager gets its checked configuration, and its calls reach it with the metadata',
  async (t) => {
    const program = defineProgram({
      name: 'greeter',
      version: '1.0.0',
      sdk: '*',
      config: z.object({ greeting: z.string().default('hello') }),
      permissions: [],
      newManager: ({ config, module: { name } }) => ({
        ...nothing,
        install: (_ctx, given) => given.set('said', `${config.greeting} ${name}`),
        upgrade: (_ctx: unknown, given: MetaData, before: unknown) => given.set('before', before),
        check: () => true,
      }),
    })
    const session = await inlineRunner(program as never, { logger: silentLogger }).open(
      module,
      undefined,
      cluster,
    )
    t.strictSame(
      session.program,
      { name: 'greeter', version: '1.0.0' },
      'nothing bounds code of the operator',
    )
    const given = metaData()
    t.equal(await session.call('install', ctx, given), undefined)
    await session.call('upgrade', ctx, given, { greeting: 'bye' })
    t.strictSame(given.toJSON(), { said: 'hello shop', before: { greeting: 'bye' } })
    t.equal(await session.call('check', ctx, given), true)
  },
)

void t.test(
  'a configuration that does not fit, a missing method and a missing optional method are permanent',
  async (t) => {
    const runner = (newManager: () => Manager) =>
      inlineRunner(
        { name: 'greeter', version: '1.0.0', sdk: '*', config: z.object({ size: z.int() }), newManager },
        { logger: silentLogger },
      )
    await t.rejects(runner(() => nothing).open(module, { size: 'big' }, cluster), PermanentError)
    await t.rejects(runner(() => nothing).open(module, { size: 'big' }, cluster), {
      message:
        /^the configuration does not fit program greeter: spec\.config\.size: must be a number, got a string/,
    })
    await t.rejects(runner(() => nothing).open(module, { size: 2 ** 60 }, cluster), {
      message:
        'the configuration does not fit program greeter: spec.config.size: must be at most 9007199254740991, got 1152921504606847000; correct it in the Module',
    })
    const { sleep: _, resume: __, ...half } = nothing
    await t.rejects(runner(() => half as Manager).open(module, { size: 1 }, cluster), {
      code: 'INVALID_PROGRAM',
      message: /greeter lacks sleep, resume; write these methods/,
    })
    const session = await runner(() => nothing).open(module, { size: 1 }, cluster)
    await t.rejects(session.call('upgrade', ctx, metaData()), PermanentError)
  },
)

void t.test('until ends when the condition holds, at its time, or by the signal', async (t) => {
  const clock = new VirtualClock()
  const { signal } = new AbortController()
  let looks = 0
  const third = until(() => ++looks === 3, { everyMs: 2_000, timeoutMs: 60_000 }, { clock, signal })
  await clock.advance(3_999)
  t.equal(looks, 2)
  await clock.advance(1)
  await third
  const late = t.rejects(
    until(() => false, { everyMs: 2_000, timeoutMs: 3_000 }, { clock, signal }),
    {
      message:
        /^ctx\.until: the condition still returned false after 3 s; correct what it waits for, or raise timeoutMs/,
    },
  )
  await clock.advance(3_000)
  await late
  const empty = t.rejects(
    until(() => {}, { everyMs: 2_000, timeoutMs: 3_000 }, { clock, signal }),
    {
      message:
        'ctx.until: the condition still returned undefined after 3 s; return true from it as soon as what it waits for is there',
    },
  )
  await clock.advance(3_000)
  await empty
  const stop = new AbortController()
  const stopped = t.rejects(
    until(() => false, { everyMs: 2_000, timeoutMs: 3_000 }, { clock, signal: stop.signal }),
    /stop/,
  )
  await clock.settle()
  stop.abort(new Error('stop'))
  await stopped
})
