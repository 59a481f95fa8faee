// Tests the calls of a process: late results, checkpoints before the end of a call, and the end of the process.
import t from 'tap'
import { MetaData } from '../metadata/metadata.js'
import { ProcessCalls } from './process-calls.js'

void t.test('a call ends once, after its checkpoints', async (t) => {
  const calls = new ProcessCalls()
  const order: string[] = []
  let stored = () => {}
  const store = () =>
    new Promise<void>((resolve) => {
      stored = () => resolve()
    })
  const metaData = new MetaData({ maxBytes: 1_000, store })
  const { id, result } = calls.add({ name: 'install', metaData })
  const saved = calls.save(id, '{"step":1}').then(() => order.push('saved'))
  calls.settle({ id, metaData: '{"step":2}' })
  const ended = result.then(() => order.push('ended'))
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame([order, metaData.toString()], [[], '{"step":1}'])
  stored()
  await Promise.all([saved, ended])
  t.strictSame([order, metaData.toString()], [['saved', 'ended'], '{"step":2}'])
  calls.settle({ id, metaData: '{"step":3}' })
  await t.rejects(calls.save(id, '{"step":3}'), { message: /save after the end of the call/ })
  t.equal(metaData.toString(), '{"step":2}')
  t.strictSame([calls.wasIssued(id), calls.wasIssued(id + 1), calls.size], [true, false, 0])
})

void t.test('calls of a process that has ended fail, also those that come later', async (t) => {
  const calls = new ProcessCalls()
  const before = calls.add({ name: 'install' }).result
  calls.failAll((name) => new Error(`ended during ${name}`))
  await t.rejects(before, { message: 'ended during install' })
  await t.rejects(calls.add({ name: 'sleep' }).result, { message: 'ended during sleep' })
})
