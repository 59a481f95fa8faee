// Tests the order and the number in which `npm test` starts files.
import t from 'tap'
import { filesOfRun, readSlowTests, TestQueue, type TestRun } from '../scripts/test-queue.mjs'

/** Takes all files that may be started now. */
function takeAll(queue: TestQueue): string[] {
  const names: string[] = []
  for (let taken = queue.take(); taken; taken = queue.take()) names.push(taken.file)
  return names
}

void t.test('files that compute run up to the capacity, and the next starts when one ends', async (t) => {
  const files = ['a', 'b', 'c', 'd'].map((file) => ({ file, load: 1 }))
  const queue = new TestQueue(files, 2)
  const first = queue.take()
  t.same(takeAll(queue), ['b'])
  if (first) queue.done(first)
  t.same(takeAll(queue), ['c'])
})

void t.test(
  'files that wait run in addition to those that compute, and pass one that does not fit yet',
  async (t) => {
    const loads = { a: 1, b: 0.25, c: 1, d: 0.25, e: 0.25, f: 0.25 }
    const files = Object.entries(loads).map(([file, load]) => ({ file, load }))
    t.same(takeAll(new TestQueue(files, 2)), ['a', 'b', 'd'], 'one more than the capacity')
    t.same(takeAll(new TestQueue(files, 3)), ['a', 'b', 'c', 'd'])
  },
)

void t.test('while half a processor is idle, one more file runs than the loads permit', async (t) => {
  const files = ['a', 'b', 'c', 'd', 'e'].map((file) => ({ file, load: 1 }))
  const queue = new TestQueue(files, 2)
  t.same(takeAll(queue), ['a', 'b'])
  t.equal(queue.take(0.4), undefined)
  t.equal(queue.take(0.5)?.file, 'c')
  t.equal(queue.take(2)?.file, 'd')
  t.equal(queue.take(2), undefined, 'two more than the capacity at most')
})

void t.test('a file with more load than the capacity runs alone', async (t) => {
  const queue = new TestQueue(
    [
      { file: 'a', load: 2 },
      { file: 'b', load: 1 },
    ],
    1,
  )
  t.same(takeAll(queue), ['a'])
})

void t.test('the list of slow files has loads, and the files that run only with all tests', async (t) => {
  t.same(
    readSlowTests('# a comment\n\na.test.ts load=0.25\nb.test.ts nightly\nc.test.ts load=0.5 nightly\n'),
    [
      { file: 'a.test.ts', load: 0.25, isNightly: false },
      { file: 'b.test.ts', load: 1, isNightly: true },
      { file: 'c.test.ts', load: 0.5, isNightly: true },
    ],
  )
})

void t.test(
  'a quick run has no slow files, a run of changes no nightly ones, and slow files start first',
  async (t) => {
    const slow = readSlowTests('slow.test.ts load=0.25\nnight.test.ts nightly\n')
    const filesOf = (run: TestRun) =>
      filesOfRun(['b.test.ts', 'slow.test.ts', 'night.test.ts', 'a.test.ts'], slow, run).map(
        ({ file }) => file,
      )
    t.same(filesOf('quick'), ['a.test.ts', 'b.test.ts'])
    t.same(filesOf('changes'), ['slow.test.ts', 'a.test.ts', 'b.test.ts'])
    t.same(filesOf('all'), ['slow.test.ts', 'night.test.ts', 'a.test.ts', 'b.test.ts'])
    t.same(filesOfRun(['a.test.ts'], slow, 'all'), [{ file: 'a.test.ts', load: 1 }], 'those that are chosen')
  },
)
