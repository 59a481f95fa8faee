// Tests the order and the number in which `npm test` starts files.
import t from 'tap'
import { processesOf, readSlowTests, TestQueue, type TestRun } from '../scripts/test-queue.mjs'

/** Takes all files that may be started now. */
function takeAll(queue: TestQueue): string[] {
  const names: string[] = []
  for (let taken = queue.take(); taken; taken = queue.take()) names.push(...taken.files)
  return names
}

/** Processes with one file each. */
const withLoads = (loads: Readonly<Record<string, number>>) =>
  Object.entries(loads).map(([file, load]) => ({ files: [file], load }))

void t.test('files that compute run up to the capacity, and the next starts when one ends', async (t) => {
  const queue = new TestQueue(withLoads({ a: 1, b: 1, c: 1, d: 1 }), 2)
  const first = queue.take()
  t.same(takeAll(queue), ['b'])
  if (first) queue.done(first)
  t.same(takeAll(queue), ['c'])
})

void t.test(
  'files that wait run in addition to those that compute, and pass one that does not fit yet',
  async (t) => {
    const files = withLoads({ a: 1, b: 0.25, c: 1, d: 0.25, e: 0.25, f: 0.25 })
    t.same(takeAll(new TestQueue(files, 2)), ['a', 'b', 'd'], 'one more than the capacity')
    t.same(takeAll(new TestQueue(files, 3)), ['a', 'b', 'c', 'd'])
  },
)

void t.test('while half a processor is idle, one more file runs than the loads permit', async (t) => {
  const queue = new TestQueue(withLoads({ a: 1, b: 1, c: 1, d: 1, e: 1 }), 2)
  t.same(takeAll(queue), ['a', 'b'])
  t.equal(queue.take(0.4), undefined)
  t.same(queue.take(0.5)?.files, ['c'])
  t.same(queue.take(2)?.files, ['d'])
  t.equal(queue.take(2), undefined, 'two more than the capacity at most')
})

void t.test('a file with more load than the capacity runs alone', async (t) => {
  const queue = new TestQueue(withLoads({ a: 2, b: 1 }), 1)
  t.same(takeAll(queue), ['a'])
})

void t.test('the list of slow files has loads, and the files that run only with all tests', async (t) => {
  t.same(
    readSlowTests(
      '# a comment\n\na.test.ts load=0.25\nb.test.ts nightly\nc.test.ts load=0.5 nightly\nd.test.ts shared\n',
    ),
    [
      { file: 'a.test.ts', load: 0.25, isShared: false, isNightly: false },
      { file: 'b.test.ts', load: 1, isShared: false, isNightly: true },
      { file: 'c.test.ts', load: 0.5, isShared: false, isNightly: true },
      { file: 'd.test.ts', load: 1, isShared: true, isNightly: false },
    ],
  )
})

void t.test(
  'a quick run has no slow files, a run of changes no nightly ones, and slow files start first',
  async (t) => {
    const slow = readSlowTests('slow.test.ts load=0.25\nnight.test.ts nightly\n')
    const filesOf = (run: TestRun) =>
      processesOf(['b.test.ts', 'slow.test.ts', 'night.test.ts', 'a.test.ts'], slow, run, 1).flatMap(
        ({ files }) => files,
      )
    t.same(filesOf('quick'), ['a.test.ts', 'b.test.ts'])
    t.same(filesOf('changes'), ['slow.test.ts', 'a.test.ts', 'b.test.ts'])
    t.same(filesOf('all'), ['slow.test.ts', 'night.test.ts', 'a.test.ts', 'b.test.ts'])
    t.same(processesOf(['a.test.ts'], slow, 'all', 1), [{ files: ['a.test.ts'], load: 1 }], 'the chosen ones')
  },
)

void t.test('files share processes with their neighbours, a slow one counts as four', async (t) => {
  const slow = readSlowTests('a/slow.test.ts load=0.5\nb/slow.test.ts shared\nb/3.test.ts shared\n')
  const files = [
    'b/2.test.ts',
    'a/slow.test.ts',
    'b/slow.test.ts',
    'b/3.test.ts',
    'a/1.test.ts',
    'b/1.test.ts',
  ]
  t.same(processesOf(files, slow, 'changes', 2), [
    { files: ['a/slow.test.ts'], load: 0.5 },
    { files: ['b/3.test.ts'], load: 1 },
    { files: ['b/slow.test.ts'], load: 1 },
    { files: ['a/1.test.ts', 'b/1.test.ts'], load: 1 },
    { files: ['b/2.test.ts'], load: 1 },
  ])
  const [, shared] = processesOf(files, slow, 'changes', 8)
  t.same(shared?.files, ['b/3.test.ts', 'b/slow.test.ts'])
  t.same(
    processesOf(files, slow, 'all', 1).map((process) => process.files[0]),
    ['a/slow.test.ts', 'b/slow.test.ts', 'b/3.test.ts', 'a/1.test.ts', 'b/1.test.ts', 'b/2.test.ts'],
    'as they are listed if none share',
  )
})
