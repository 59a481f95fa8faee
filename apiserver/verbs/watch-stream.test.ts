import t from 'tap'
import { parseJson } from '../../sdk/engine/kube/json.js'
import { machineClock } from '../base/clock.js'
import type { WatchLine } from '../output/watch-line.js'
import type { Change } from '../store/entry.js'
import { Store } from '../store/store.js'
import { WatchStream } from './watch-stream.js'

const bytes = (text: string) => Buffer.from(text)

void t.test('an unexpected error ends its watch, and harms no write and no other watch', async (t) => {
  const store = new Store()
  const collection = store.collection('configmaps')
  const watch = (read: (change: Change) => WatchLine | undefined) =>
    new WatchStream({
      collection,
      cursor: collection.cursorAfter(store.revision),
      initial: [],
      initialBookmark: false,
      read,
      writer: {
        line: () => bytes('line'),
        bookmark: () => bytes('bookmark'),
        error: (status) => bytes(JSON.stringify(status)),
      },
      revision: () => store.revision,
      after: store.revision,
      clock: machineClock,
      bookmarkIntervalMs: 0,
      timeoutMs: 60_000,
      finishSignal: undefined,
      signals: [],
    })
  const later = watch(({ entry }) => {
    if (entry.key === 'default/a') return { type: 'ADDED', object: entry.object } as never
    throw new TypeError('not a function')
  })
  const broken = watch(() => {
    throw new TypeError('not a function')
  })
  let isRead = false
  const other = watch(() => {
    isRead = true
    return undefined
  })
  t.teardown(() => Promise.all([broken.return(), other.return(), later.return()]))
  const [step, otherStep] = [broken.next(), other.next()]
  const entry = store.put('configmaps', 'default/a', { metadata: { name: 'a', namespace: 'default' } })
  t.equal(store.collection('configmaps').get('default/a'), entry)
  t.equal(isRead, true)
  const { value } = await step
  t.match(parseJson(value ?? bytes('')), {
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: not a function',
  })
  t.equal((await broken.next()).done, true)
  await other.return()
  t.equal((await otherStep).done, true)
  store.put('configmaps', 'default/b', { metadata: { name: 'b', namespace: 'default' } })
  const chunk = Buffer.from((await later.next()).value ?? []).toString()
  t.match(chunk, /^line\{.*not a function/, 'the lines before the error are sent')
  t.equal((await later.next()).done, true)
})
