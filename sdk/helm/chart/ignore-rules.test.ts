// Tests the patterns of `.helmignore`: those of Go's filepath.Match, in bounded time.
import t from 'tap'
import { IgnoreRules } from './ignore-rules.js'

/** Whether a pattern matches a path. The slash makes it one of whole paths. */
const matches = (glob: string, path: string) => new IgnoreRules(`/${glob}\n`).ignores(path, false)

void t.test('patterns match as in Go', async (t) => {
  for (const [glob, path, isMatch] of [
    ...([
      ['abc', 'abc', true],
      ['*', 'abc', true],
      ['*c', 'abc', true],
      ['a*', 'ab/c', false],
    ] as const),
    ...([
      ['a*/b', 'abc/b', true],
      ['a*b*c*d*e*/f', 'axbxcxdxexxx/f', true],
    ] as const),
    ...([
      ['a*b*c*d*e*/f', 'axbxcxdxe/xxx/f', false],
      ['a*b?c*x', 'abxbbxdbxebxczzx', true],
    ] as const),
    ...([
      ['ab[c]', 'abc', true],
      ['ab[b-d]', 'abc', true],
      ['ab[^b-d]', 'abc', false],
    ] as const),
    ...([
      ['a\\*b', 'a*b', true],
      ['a\\*b', 'ab', false],
      ['a?b', 'a\u263ab', true],
      ['a[^a]b', 'a😀b', true],
    ] as const),
    ...([
      ['a?b', 'a/b', false],
      ['a[^x]b', 'a/b', true],
      ['a[.-0]b', 'a/b', true],
      ['[a-ζ]*', 'α', true],
    ] as const),
    ...([
      ['[\\]a]', ']', true],
      ['[\\-x]', '-', true],
      ['[x\\-]', 'z', false],
      ['[z-a]', 'b', false],
    ] as const),
    ...([
      ['a.b', 'axb', false],
      ['*x', 'xxx', true],
      ['*ab', 'aab', true],
      ['x*x', 'x', false],
    ] as const),
  ])
    t.equal(matches(glob, path), isMatch, `${glob} ${path}`)
})

void t.test('patterns that Go refuses are refused', async (t) => {
  for (const glob of ['[]a]', '[-]', '[x-]', '[-x]', '[a-b-c]', '[', '[^', '[^bc', 'a[', '\\', '[\\'])
    t.throws(() => new IgnoreRules(glob), { name: 'ChartProblem', message: /is not complete/ }, glob)
  t.throws(() => new IgnoreRules('a\n'.repeat(40_000)), {
    message: 'its .helmignore has 80000 characters, and at most 65536 are read; write fewer patterns',
  })
})

void t.test('a pattern with many stars ends', async (t) => {
  t.notOk(matches(`${'*a'.repeat(100)}b`, 'a'.repeat(200)))
  t.notOk(matches(`${'*a?'.repeat(50)}[b]`, 'a'.repeat(20_000)))
})

void t.test('a large chart with many patterns is read', async (t) => {
  const globs = Array.from({ length: 50 }, (_, index) => [`*.ext${index}`, `docs/*/part-${index}/*.md`])
  const rules = new IgnoreRules(globs.flat().join('\n'))
  for (let file = 0; file < 10_000; file++)
    if (rules.ignores(`templates/team-${file % 100}/service/deployment-${file}.yaml`, false))
      t.fail('ignored')
})

void t.test('patterns that would take too long for many files are refused', async (t) => {
  const rules = new IgnoreRules(`*${'a'.repeat(60)}b\n`.repeat(1_000))
  const sized = (count: number) => () => {
    for (let file = 0; file < count; file++) rules.ignores('a'.repeat(250), false)
  }
  // Each file takes about 12 million comparisons.
  t.doesNotThrow(sized(2))
  t.throws(sized(1), { name: 'ChartProblem', message: /^\.helmignore: its patterns take too long/ })
})
