// Tests the requests that the operator makes for a program: how many at a time, their permissions, and their end.
import t from 'tap'
import type { ModuleCluster } from '../manager/module-cluster.js'
import type { PolicyRule } from '../manager/policy-rule.js'
import { ClusterRequests } from './cluster-requests.js'
import type { ToChild } from './messages.js'

type Answer = Extract<ToChild, { type: 'answer' }>

const rules: PolicyRule[] = [{ group: '', resource: 'configmaps', verbs: ['get'] }]
const first = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }

/** Requests that go on until a test ends them. */
function setUp() {
  const answers: Answer[] = []
  const running: { signal: AbortSignal; options: object; end(value?: unknown): void }[] = []
  const get = (_: unknown, options: { signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      running.push({ signal: options.signal, options, end: resolve })
      options.signal.addEventListener('abort', () => reject(options.signal.reason))
    })
  const cluster = { get, list: get } as unknown as ModuleCluster
  const violations: string[] = []
  const requests = new ClusterRequests({
    send: (message) => void answers.push(message as Answer),
    onViolation: (why) => void violations.push(why),
  })
  const ask = (id: number, method: 'get' | 'list' = 'get', options: object = {}) =>
    requests.serve(
      { type: 'request', id, manager: 1, method, args: [first, options] },
      { cluster, program: 'shop', permissions: rules },
    )
  return { answers, running, violations, requests, ask }
}

void t.test('128 requests run at a time; one more is refused, until another has ended', async (t) => {
  const { answers, running, ask, requests } = setUp()
  const all = Array.from({ length: 128 }, (_, id) => ask(id + 1))
  t.equal(running.length, 128)
  t.strictSame(answers, [])
  await ask(129)
  t.equal(running.length, 128)
  t.match(answers, [{ id: 129, error: { code: 429, message: /at most 128 requests at a time/ } }])
  // Checkpoints count as well.
  await requests.answer(130, async () => t.fail('it is not asked'))
  t.match(answers[1], { id: 130, error: { code: 429 } })
  running[0]?.end('done')
  await all[0]
  t.match(answers[2], { id: 1, value: 'done' })
  all.push(ask(131))
  t.equal(running.length, 129, 'another one has its place')
  requests.cancel()
  await Promise.all(all)
  t.equal(answers.length, 131)
})

void t.test('a request without a rule is not made', async (t) => {
  const { answers, running, ask } = setUp()
  await ask(1, 'list')
  t.match(answers, [{ id: 1, error: { code: 403, message: /shop may not list configmaps/ } }])
  t.strictSame(running, [])
})

void t.test('a cancelled request is aborted alone, and by the signal of the operator', async (t) => {
  const { answers, running, ask, requests } = setUp()
  const forged = { aborted: false, addEventListener: () => {} }
  const both = [ask(1, 'get', { signal: forged }), ask(2)]
  t.ok(running[0]?.signal instanceof AbortSignal, 'the options of the program do not replace the signal')
  requests.cancel(1)
  requests.cancel(77)
  await both[0]
  t.strictSame(
    running.map(({ signal }) => signal.aborted),
    [true, false],
  )
  t.match(answers, [{ id: 1, error: { message: /the program cancelled the request/ } }])
  requests.cancel()
  await both[1]
  t.equal(running[1]?.signal.aborted, true)
})

void t.test('a number that is in use is a violation, and all requests end with the process', async (t) => {
  const { answers, running, violations, ask, requests } = setUp()
  const all = [ask(1), ask(1), requests.answer(1, async () => t.fail('it is not asked')), ask(2)]
  t.strictSame(violations, Array(2).fill('sent two requests with the number 1'))
  t.equal(running.length, 2, 'neither is made')
  requests.cancel()
  await Promise.all(all)
  t.ok(running.every(({ signal }) => signal.aborted))
  t.strictSame(
    answers.map(({ id }) => id),
    [1, 2],
  )
  await Promise.all([ask(1), requests.cancel(1)])
  t.equal(violations.length, 2, 'the number is free after the answer')
})
