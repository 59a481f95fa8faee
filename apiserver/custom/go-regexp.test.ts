import t from 'tap'
import { goRegExp } from './go-regexp.js'

const long = `${'a'.repeat(50_000)}!`

void t.test('a pattern with exponential backtracking takes linear time', async (t) => {
  for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(a|a)*$', '^(.*a){20}$', '^((a*)*)*b$', '(x+x+)+y'])
    t.equal(goRegExp(pattern).test(long), false, pattern)
  t.equal(goRegExp('(a+)+!').test(long), true)
})

void t.test('patterns have the same meaning as in Go', async (t) => {
  t.equal(goRegExp('^.$').test('😀'), true, 'characters are counted, not UTF-16 units')
  t.equal(goRegExp('^a$').test('a\n'), false, '$ matches only the end of the text')
  t.equal(goRegExp('(?s)^a.b$').test('a\nb'), true)
  t.equal(goRegExp('^\\d$').test('٣'), false, 'digits are ASCII')
  t.equal(goRegExp('^\\s$').test('\u00a0'), false, 'white space is ASCII')
  t.equal(goRegExp('^\\Q.*\\E$').test('.*'), true)
  t.equal(goRegExp('^(?P<n>a)(?<n>b)$').test('ab'), true, 'two groups may have the same name')
  t.equal(goRegExp('(?P<constructor>a)').test('a'), true)
  t.equal(goRegExp('(?U)a+').findAll('aaa').length, 3)
})

void t.test('all matches are the same as in Go', async (t) => {
  t.strictSame(goRegExp('a*').findAll('baaac'), ['', 'aaa', ''])
  t.strictSame(goRegExp('a*').findAll('baaa'), ['', 'aaa'])
  t.strictSame(goRegExp('.').findAll('xyz', 2), ['x', 'y'])
  t.strictSame(goRegExp('.').findAll('xyz', 0), [])
})

void t.test('a pattern that Go does not compile is rejected with Go’s text', async (t) => {
  t.throws(() => goRegExp('(a'), new SyntaxError('error parsing regexp: missing closing ): `(a`'))
  const backslash = 'error parsing regexp: trailing backslash at end of expression: ``'
  t.throws(() => goRegExp('a\\'), new SyntaxError(backslash))
})

void t.test('compiled patterns are cached, up to a limit', async (t) => {
  const first = goRegExp('kept')
  t.equal(goRegExp('kept'), first)
  for (let at = 0; at < 1000; at++) goRegExp(`pattern-${at}`)
  t.not(goRegExp('kept'), first)
})
