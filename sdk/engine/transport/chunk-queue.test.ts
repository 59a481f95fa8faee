import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { ChunkQueue } from './chunk-queue.js'

function queue() {
  const seen: unknown[] = []
  const made = new ChunkQueue({
    onTaken: (bytes) => void seen.push(bytes),
    onLeft: () => void seen.push('left'),
  })
  return { seen, made }
}

const bytes = (text: string) => Buffer.from(text)

void t.test('chunks come in order, before and after their reader', async (t) => {
  const { seen, made } = queue()
  made.push(bytes('a'))
  const read = (async () => {
    const texts: string[] = []
    for await (const chunk of made) texts.push(Buffer.from(chunk).toString())
    return texts
  })()
  await turn()
  made.push(bytes('bc'))
  made.push(bytes('d'))
  made.end()
  made.push(bytes('late'))
  t.same(await read, ['a', 'bc', 'd'])
  t.same(seen, [1, 2, 1], 'each counts when it is taken')
})

void t.test('an error comes behind the chunks, once', async (t) => {
  const { made } = queue()
  made.push(bytes('a'))
  made.end({ error: new Error('broke') })
  made.end({ error: new Error('again') })
  t.equal((await made.next()).done, false)
  await t.rejects(made.next(), { message: 'broke' })
  t.equal((await made.next()).done, true)
  const waiting = queue()
  const next = waiting.made.next()
  waiting.made.end({ error: new Error('broke') })
  await t.rejects(next, { message: 'broke' })
})

void t.test('a reader that leaves before the end is noticed', async (t) => {
  const { seen, made } = queue()
  made.push(bytes('a'))
  made.push(bytes('b'))
  for await (const _ of made) break
  t.same(seen, [1, 'left'])
  t.equal((await made.next()).done, true)
  const ended = queue()
  ended.made.end()
  await ended.made.return()
  t.same(ended.seen, [], 'after the end there is nothing to leave')
})

void t.test('a reader takes chunks as they arrive, and those behind a pause later', async (t) => {
  const { seen, made } = queue()
  made.push(bytes('a'))
  const texts: string[] = []
  let goOn = () => {}
  const read = made.takeAll((chunk) => {
    texts.push(Buffer.from(chunk).toString())
    if (chunk.length === 1) return undefined
    return new Promise<void>((resolve) => {
      goOn = resolve
    })
  })
  t.strictSame(texts, ['a'], 'a chunk that was there')
  made.push(bytes('b'))
  t.strictSame(texts, ['a', 'b'], 'in the same turn')
  made.push(bytes('cc'))
  made.push(bytes('d'))
  await turn()
  t.strictSame(texts, ['a', 'b', 'cc'])
  t.strictSame(seen, [1, 1, 2], 'a chunk that waits is not taken')
  goOn()
  made.end()
  await read
  t.strictSame(texts, ['a', 'b', 'cc', 'd'])
  t.strictSame(seen, [1, 1, 2, 1], 'the reader did not leave')
})

void t.test('an error of the reader ends the reading, whether it throws or rejects', async (t) => {
  for (const fail of [() => Promise.reject(new Error('odd')), odd]) {
    const { seen, made } = queue()
    made.push(bytes('a'))
    made.push(bytes('b'))
    await t.rejects(made.takeAll(fail), { message: 'odd' })
    made.push(bytes('c'))
    t.strictSame(seen, [1, 'left'])
  }
})

void t.test('an error of the chunks comes behind them', async (t) => {
  const { made } = queue()
  const texts: string[] = []
  const read = made.takeAll((chunk) => {
    texts.push(Buffer.from(chunk).toString())
    return undefined
  })
  made.push(bytes('a'))
  made.end({ error: new Error('broke') })
  await t.rejects(read, { message: 'broke' })
  t.strictSame(texts, ['a'])
})

function odd(): never {
  throw new Error('odd')
}
