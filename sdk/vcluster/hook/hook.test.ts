import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { type ConfigMap, configMaps, pods, secrets } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { noMetrics } from '../../engine/observe/metrics.js'
import { ClientHook, type HookContext } from './client-hook.js'
import { encodeForGoUnmarshal } from './encode-for-go-unmarshal.js'
import { HookChain } from './hook-chain.js'
import { HookDenialError } from './hook-denial-error.js'

class Hook extends ClientHook<ConfigMap> {
  override mutateCreatePhysical: (
    ctx: HookContext,
    object: ConfigMap,
  ) => ConfigMap | undefined | Promise<ConfigMap>

  constructor(name: string, mutate: Hook['mutateCreatePhysical']) {
    super(name, configMaps)
    this.mutateCreatePhysical = mutate
  }
}

const greeting: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'greeting', namespace: 'default', labels: { app: 'web' } },
  data: { text: 'hello' },
}

function chainOf(...hooks: ClientHook<ConfigMap>[]) {
  const clock = new VirtualClock()
  const logged: unknown[] = []
  const { metrics, results } = countedCalls()
  const logger = { ...silentLogger, warn: (...line: unknown[]) => void logged.push(line) }
  const chain = new HookChain({
    hooks: hooks as unknown as ClientHook[],
    logger: { ...logger, child: () => logger },
    metrics,
    clock,
  })
  const mutate = (object: KubeObject = greeting, type = 'CreatePhysical') =>
    chain.mutate(
      { apiVersion: 'v1', kind: 'ConfigMap', type, object: JSON.stringify(object) },
      { signal: new AbortController().signal },
    )
  return { chain, clock, mutate, logged, results }
}

/** Metrics, and the label `result` of each counted call. */
function countedCalls() {
  const results: unknown[] = []
  const counter = { add: ({ result }: Record<string, string> = {}) => void results.push(result) }
  return { results, metrics: { ...noMetrics, counter: () => counter } }
}

const withLabel = (label: string, value: string) => (_: HookContext, object: ConfigMap) => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, [label]: value } },
})

void t.test(
  'hooks run one after the other, and the last word of each member is what they came to',
  async (t) => {
    const { mutate } = chainOf(new Hook('one', withLabel('one', '1')), new Hook('two', withLabel('two', '2')))
    const { object, mutated } = await mutate()
    t.equal(mutated, true)
    t.same(JSON.parse(object), {
      ...greeting,
      metadata: { ...greeting.metadata, labels: { app: 'web', one: '1', two: '2' } },
    })
  },
)

void t.test('an unchanged object is not sent, and another type has no hook', async (t) => {
  const unchanged = { object: '', mutated: false }
  t.same(await chainOf(new Hook('same', (_, object) => ({ ...object }))).mutate(), unchanged)
  t.same(await chainOf(new Hook('silent', () => undefined)).mutate(), unchanged)
  const { mutate } = chainOf(new Hook('one', withLabel('one', '1')))
  t.same(await mutate(greeting, 'GetVirtual'), unchanged)
  t.same(await mutate(greeting, 'NoSuchType'), unchanged)
})

void t.test('kinds are registered once, with every type that some hook has', async (t) => {
  class Pods extends ClientHook {
    override mutateGetVirtual = () => undefined
    override mutateApplyPhysical = () => undefined
  }
  class Nothing extends ClientHook {}
  const hooks = [
    new Pods('pods', pods),
    new Hook('one', () => undefined),
    new Hook('two', () => undefined),
    new Nothing('none', secrets),
  ]
  const options = { logger: silentLogger, metrics: noMetrics, clock: new VirtualClock() }
  t.same(new HookChain({ ...options, hooks: hooks as unknown as ClientHook[] }).registrations, [
    { apiVersion: 'v1', kind: 'Pod', types: ['ApplyPhysical', 'GetVirtual'] },
    { apiVersion: 'v1', kind: 'ConfigMap', types: ['CreatePhysical'] },
  ])
})

const place = 'CreatePhysical of ConfigMap default/greeting'

void t.test('an invalid result is reported with what is wrong with it', async (t) => {
  const answers: [answer: unknown, reason: string][] = [
    [null, 'it returned null'],
    ['text', 'it returned a string'],
    [[greeting], 'it returned a list'],
    [
      { ...greeting, kind: 'Secret' },
      'it changed kind, .*; return it with the kind that the hook was given$',
    ],
    [{ ...greeting, apiVersion: 'v2' }, 'it changed apiVersion, by which vcluster finds the object; '],
    [
      { ...greeting, metadata: { ...greeting.metadata, name: 'other' } },
      'it changed metadata.name, .*; return it with the metadata.name that the hook was given$',
    ],
    [
      { ...greeting, metadata: { ...greeting.metadata, namespace: 'other' } },
      'it changed metadata.namespace, by which vcluster finds the object; ',
    ],
    [
      { ...greeting, data: { text: 'x'.repeat(3 * 1024 * 1024) } },
      'bytes, and an API server takes at most 3145728; add less to the object$',
    ],
  ]
  for (const [answer, reason] of answers) {
    const { mutate, results } = chainOf(new Hook('mine', () => answer as ConfigMap))
    await t.rejects(mutate(), { message: new RegExp(`^hook mine failed on ${place}: .*${reason}`) })
    t.strictSame(results, ['failed'])
  }
})

/** The whole message of a rejection: a pattern of tap is satisfied by a part of it. */
const messageOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'nothing was thrown',
    (error: Error) => error.message,
  )

void t.test('a call that vcluster gives up counts as cancelled, and not as failed', async (t) => {
  const abort = new AbortController()
  const hook = new Hook('mine', async ({ signal }) => {
    abort.abort(new Error('vcluster no longer waits for the hook'))
    signal.throwIfAborted()
    return greeting
  })
  const { chain, results } = chainOf(hook)
  const call = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    type: 'CreatePhysical',
    object: JSON.stringify(greeting),
  }
  t.equal(
    await messageOf(chain.mutate(call, { signal: abort.signal })),
    `hook mine was cancelled in ${place}`,
  )
  t.strictSame(results, ['cancelled'])
})

void t.test('vcluster gets the message of a denial', async (t) => {
  const error = new HookDenialError('no images from there')
  const { mutate, logged, results } = chainOf(new Hook('mine', () => Promise.reject(error)))
  t.equal(await messageOf(mutate()), `hook mine denied ${place}: no images from there`)
  t.match(logged, [[{ hook: 'mine', type: 'CreatePhysical', error }, 'a hook denied']])
  t.strictSame(results, ['denied'])
})

void t.test('the message of any other error stays in the log of the plugin', async (t) => {
  const secret = 'https://user:c4n4ry@registry.example.com'
  for (const thrown of [new Error(`cannot reach ${secret}`), new TypeError(secret), secret, undefined]) {
    const { mutate, logged, results } = chainOf(new Hook('mine', () => Promise.reject(thrown as Error)))
    t.equal(await messageOf(mutate()), `hook mine failed on ${place}; the plugin's log says why`)
    t.match(logged, [[{ hook: 'mine', object: 'ConfigMap default/greeting' }, 'a hook failed']])
    t.equal((logged[0] as [{ error: unknown }])[0].error, thrown)
    t.strictSame(results, ['failed'])
  }
})

void t.test('a value that is not an object is refused with a message that does not quote it', async (t) => {
  const { chain } = chainOf(new Hook('one', withLabel('one', '1')))
  for (const object of ['null', '[]', '1', '"c4n4ry"', '{}', '{"metadata":null}', 'c4n4ry', '']) {
    const call = { apiVersion: 'v1', kind: 'ConfigMap', type: 'CreatePhysical', object }
    await t.rejects(chain.mutate(call, { signal: new AbortController().signal }), {
      message:
        "vcluster asked the plugin's hooks for CreatePhysical of ConfigMap with something that is not an object with metadata; is it newer than this SDK?",
    })
  }
})

void t.test('a hook cannot change what it was given, nor keep vcluster waiting', async (t) => {
  const vandal = chainOf(
    new Hook('vandal', (_, object) => {
      Object.assign(object.metadata, { name: 'x' })
      return object
    }),
  )
  await t.rejects(vandal.mutate(), { message: /hook vandal failed/ })
  t.match(vandal.logged, [[{ error: { message: /read only.* are frozen/ } }]])
  let aborted = false
  const endless = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      aborted = true
    })
    return new Promise<ConfigMap>(() => {})
  }
  const aborting = (signal: AbortSignal) =>
    new Promise<ConfigMap>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted: c4n4ry')))
    })
  for (const wait of [endless, aborting]) {
    const slow = chainOf(new Hook('slow', ({ signal }) => wait(signal)))
    const answer = slow.mutate()
    await Promise.all([
      messageOf(answer).then((message) => t.equal(message, `hook slow did not answer ${place} within 8 s`)),
      slow.clock.advance(8000),
    ])
    const error = { message: 'it did not answer within 8 s; pass ctx.signal to calls that wait' }
    t.match(slow.logged, [[{ hook: 'slow', error }, 'a hook did not answer in time']])
    t.strictSame(slow.results, ['timeout'])
  }
  t.ok(aborted)
})

void t.test('missing fields stay out of the answer, and integers beyond 2^53 are kept', async (t) => {
  const big = '{"metadata":{"name":"greeting","namespace":"default"},"count":9007199254740993}'
  const { chain } = chainOf(new Hook('one', withLabel('one', '1')))
  const call = { apiVersion: 'v1', kind: 'ConfigMap', type: 'CreatePhysical', object: big }
  const { object } = await chain.mutate(call, { signal: new AbortController().signal })
  t.match(object, '"count":9007199254740993')
  t.notMatch(object, /apiVersion|kind/)
})

void t.test('only what differs is written more than once', async (t) => {
  t.equal(encodeForGoUnmarshal({ a: 1, b: 'x' }, { a: 1, b: 'x', c: true }), '{"a":1,"b":"x","c":true}')
  t.equal(
    encodeForGoUnmarshal({ labels: { a: '1' }, n: 1 }, { labels: { a: '1', b: '2' }, n: 2 }),
    '{"labels":{"a":"1","b":"2"},"n":2}',
  )
  t.equal(encodeForGoUnmarshal({ a: [1, 2] }, { a: [2] }), '{"a":null,"a":[2]}')
  t.equal(
    encodeForGoUnmarshal({ labels: { a: '1', b: '2' } }, { labels: { a: '1' } }),
    '{"labels":{"a":"","a":null,"b":"","b":null},"labels":null,"labels":{"a":"1"}}',
  )
  t.equal(
    encodeForGoUnmarshal({ a: 'x', n: 3, b: true }, {}),
    '{"a":"","a":null,"n":0,"n":null,"b":false,"b":null}',
  )
  t.equal(encodeForGoUnmarshal({ startTime: '2026-01-02T03:04:05Z' }, {}), '{"startTime":null}')
  t.equal(encodeForGoUnmarshal({ limits: { cpu: '1' } }, { limits: {} }), '{"limits":null,"limits":{}}')
  t.equal(encodeForGoUnmarshal({ a: undefined, b: null }, { b: 1 }), '{"b":1}')
})

void t.test('the work for a deep object grows with its size', async (t) => {
  const depth = 60
  let reads = 0
  const nested = (level: number, removed: object): object => ({
    ...removed,
    get inner() {
      reads += 1
      if (reads > 100 * depth * depth) throw new Error('the same members are read again and again')
      return level === 0 ? 'x' : nested(level - 1, removed)
    },
  })
  const text = encodeForGoUnmarshal(nested(depth, { gone: 1 }), nested(depth, {}))
  t.strictSame(JSON.parse(text), { gone: null, ...JSON.parse(JSON.stringify(nested(depth, {}))) })
})
