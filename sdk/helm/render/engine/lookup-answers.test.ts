// Tests the limits of the lookups of one rendering.
import t from 'tap'
import { RenderError } from '../render-error.js'
import { LookupAnswers } from './lookup-answers.js'

const { signal } = new AbortController()
const keys = (count: number, kind = 'ConfigMap') =>
  Array.from({ length: count }, (_, index) => `v1|${kind}|ns|${index}`)

/** Answers that note how many lookups there were, and how many at a time. */
function setUp() {
  const calls = { all: 0, now: 0, most: 0 }
  const answers = new LookupAnswers(async ({ name }) => {
    calls.all += 1
    calls.now += 1
    calls.most = Math.max(calls.most, calls.now)
    await new Promise((resolve) => setImmediate(resolve))
    calls.now -= 1
    return { name }
  }, signal)
  return { answers, calls }
}

void t.test('at most 16 lookups are asked at a time', async (t) => {
  const { answers, calls } = setUp()
  await answers.find(keys(100))
  t.strictSame(calls, { all: 100, now: 0, most: 16 })
  t.equal(Object.keys(answers.known).length, 100)
})

void t.test('beyond 1000 different lookups the rendering fails before it asks', async (t) => {
  const { answers, calls } = setUp()
  await t.rejects(answers.find(keys(1_001)), RenderError)
  t.equal(calls.all, 0)
  await answers.find(keys(999))
  await t.rejects(answers.find(keys(2, 'Secret')), /look up more than 1000 objects/)
  await answers.find(keys(999))
  t.equal(await answers.answer('v1|Secret|ns|0'), '{"name":"0"}')
  await t.rejects(answers.answer('v1|Secret|ns|1'), RenderError)
  t.equal(await answers.answer('v1|Secret|ns|0'), '{"name":"0"}', 'known answers stay')
  t.equal(calls.all, 1_000)
})
