import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { GrpcStatus } from '../../engine/grpc/status.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { noMetrics } from '../../engine/observe/metrics.js'
import { CallRunner } from './call-runner.js'
import { decodeObject } from './decode.js'
import { HookError } from './hook-error.js'

const setUp = () => {
  const clock = new VirtualClock()
  return {
    clock,
    runner: new CallRunner({ plugin: 'keys', logger: silentLogger, metrics: noMetrics, clock }),
  }
}
const method = (call: () => Promise<Buffer>) => ({
  path: '/cnpgi.identity.v1.Identity/Probe',
  call,
  read: { request: String, answer: String },
})
const request = Buffer.of()

void t.test('a call answers what its hook does, and no secret of an error', async (t) => {
  const { runner } = setUp()
  t.same(
    await runner.run(
      method(async () => Buffer.from('a')),
      request,
    ),
    Buffer.from('a'),
  )
  t.strictSame(
    await runner.run(
      method(() => Promise.reject(new HookError('name an image'))),
      request,
    ),
    {
      code: GrpcStatus.FAILED_PRECONDITION,
      details: 'name an image',
    },
  )
  t.strictSame(
    await runner.run(
      method(() => Promise.reject(new TypeError('the password is x'))),
      request,
    ),
    {
      code: GrpcStatus.INTERNAL,
      details: 'plugin keys failed in Identity/Probe (TypeError); the log of the plugin has the message',
    },
  )
})

void t.test('a hook that does not return ends its call after 25 s, and counts as unfinished', async (t) => {
  const { runner, clock } = setUp()
  const answer = runner.run(
    method(() => new Promise(() => {})),
    request,
  )
  await clock.advance(25_000)
  t.match(await answer, { code: GrpcStatus.DEADLINE_EXCEEDED, details: /did not answer .* within 25 s/ })
  t.strictSame(runner.unfinished, ['Identity/Probe'])
})

void t.test('a stop refuses new calls, and aborts those that run at its deadline', async (t) => {
  const { runner, clock } = setUp()
  const running = runner.run(
    method(() => new Promise(() => {})),
    request,
  )
  const stopped = runner.stop(1_000)
  t.match(
    await runner.run(
      method(async () => request),
      request,
    ),
    { code: GrpcStatus.UNAVAILABLE },
  )
  await clock.advance(1_000)
  await stopped
  t.strictSame(await running, { code: GrpcStatus.UNAVAILABLE, details: 'plugin keys has stopped' })
})

void t.test('an object of a request has metadata, and an error does not repeat its text', (t) => {
  const read = (text: string) => () => decodeObject(Buffer.from(text), 'cluster_definition')
  t.strictSame(read('{"metadata":{"name":"a"}}')(), { metadata: { name: 'a' } })
  t.throws(read('{"metadata":1}'), {
    message: 'cluster_definition must be the JSON of an object with metadata',
  })
  t.throws(read('[]'), { code: 'INVALID_ARGUMENT' })
  t.throws(read('pass-word'), { message: /^cluster_definition is not JSON: (?!.*pass-word)/ })
  t.end()
})

void t.test('a call whose caller has gone does not run its hook', async (t) => {
  const { runner } = setUp()
  const gone = AbortSignal.abort(new HookError('the caller is gone', { code: 'UNAVAILABLE' }))
  const hook = method(async () => Buffer.from('a'))
  const answer = await runner.run(hook, request, gone)
  t.strictSame(answer, { code: GrpcStatus.UNAVAILABLE, details: 'the caller is gone' })
})
