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
  await new Promise(setImmediate)
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
