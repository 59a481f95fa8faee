import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { GrpcError } from '../../engine/grpc/grpc-error.js'
import { GrpcStatus } from '../../engine/grpc/status.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import { type Metrics, noMetrics } from '../../engine/observe/metrics.js'
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

/** A runner with the levels of its log lines and the codes that it counts, and a signal as the server aborts it. */
const observed = () => {
  const levels: string[] = []
  const codes: unknown[] = []
  const [debug, warn, error] = ['debug', 'warn', 'error'].map((level) => () => void levels.push(level))
  const logger = { ...silentLogger, debug, warn, error } as Logger
  const metrics: Metrics = {
    ...noMetrics,
    counter: () => ({ add: ({ code } = {}) => void codes.push(code) }),
  }
  const clock = new VirtualClock()
  const caller = new AbortController()
  return { levels, codes, caller, runner: new CallRunner({ plugin: 'keys', logger, metrics, clock }) }
}

for (const [code, details] of [
  ['CANCELLED', 'the caller gave up'],
  ['DEADLINE_EXCEEDED', "the caller's time limit is over"],
] as const) {
  const reason = new GrpcError(GrpcStatus[code], details)

  void t.test(`a call that ends with ${code} does not count as an error of its hook`, async (t) => {
    const { runner, caller, levels, codes } = observed()
    const { signal } = caller
    const failure = { code: GrpcStatus[code], details }
    const hangs = runner.run(
      method(() => new Promise(() => {})),
      request,
      signal,
    )
    const noticesFirst = method(
      () =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('the upload was aborted')))
        }),
    )
    const rejects = runner.run(noticesFirst, request, signal)
    caller.abort(reason)
    t.strictSame([await hangs, await rejects], [failure, failure])
    t.strictSame(
      [levels, codes],
      [
        ['debug', 'debug'],
        [code, code],
      ],
    )
  })
}

void t.test('a call whose caller has gone does not run its hook', async (t) => {
  const { runner, caller } = observed()
  caller.abort(new GrpcError(GrpcStatus.CANCELLED, 'the caller gave up'))
  let runs = 0
  const hook = method(async () => Buffer.from(String(++runs)))
  const answer = await runner.run(hook, request, caller.signal)
  t.strictSame(answer, { code: GrpcStatus.CANCELLED, details: 'the caller gave up' })
  t.equal(runs, 0)
})
