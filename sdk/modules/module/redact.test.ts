import t from 'tap'
import { redact } from '../../engine/observe/redact.js'
import { SecretMasker } from '../../engine/observe/secret-masker.js'
import { managerError } from '../process/manager-error.js'
import { attemptFailure } from './record/failure.js'

const secret = 'correct-horse-battery-staple'

void t.test('a secret text that crosses the cut of a message is not shown', async (t) => {
  for (const begin of [1_000, 1_010, 1_020, 4_080]) {
    const sent = `${'x'.repeat(begin)}${secret} and more`.slice(0, 4_096)
    const { message } = attemptFailure(managerError({ name: 'Error', message: sent }), 'install', [secret])
    t.ok(message.length <= 1_024)
    t.notMatch(message, 'corr', `a secret text from character ${begin} on`)
  }
})

void t.test('a secret text at the cut of a program is not shown, though other ones made room', async (t) => {
  const long = 'y'.repeat(4_080)
  const message = `${long}${secret}`.slice(0, 4_096)
  const error = managerError({ name: 'Error', message })
  t.equal(attemptFailure(error, 'install', [secret, long]).message, '[secret][secret]')
})

void t.test('the longest secret text is left out first', async (t) => {
  const texts = ['horse', secret, 'battery']
  t.equal(redact(`got ${secret}, horse`, texts), 'got [secret], [secret]')
  t.same(texts, ['horse', secret, 'battery'])
})

void t.test('a secret text of several lines is left out, also as JSON and log lines escape it', async (t) => {
  const key = 'BEGIN "KEY"\nabcdef\nEND'
  for (const shown of [
    key,
    JSON.stringify(key).slice(1, -1),
    managerError({ name: '', message: key }).message,
  ])
    t.equal(redact(`bad key ${shown}.`, [key]), 'bad key [secret].')
})

void t.test('a message without secret texts stays, and very short texts are not left out', async (t) => {
  t.equal(redact('the port cor is in use', [secret]), 'the port cor is in use')
  t.equal(redact('at 8080 cor', [secret, '808', '']), 'at 8080 cor')
})

void t.test('texts of a megabyte that repeat one letter are found in little time', async (t) => {
  const [size, before] = [1_000_000, process.cpuUsage()]
  const half = 'a'.repeat(size / 2)
  const shown = redact(`${'a'.repeat(size - 1)}b`, ['a'.repeat(size), `${half}b${half}`])
  const { user } = process.cpuUsage(before)
  t.ok(user < 2_000_000, `${user} microseconds`)
  t.ok(shown.length < 10_000)
})

void t.test('a long message is cut, also without any secret text', async (t) => {
  t.equal(redact('x'.repeat(9_000), []), `${'x'.repeat(8_192)} …`)
  t.equal(redact('x'.repeat(8_192), []), 'x'.repeat(8_192))
})

void t.test('secret texts that overlap are left out as a whole', async (t) => {
  t.equal(redact('got abcdefghij.', ['abcdef', 'cdefghij']), 'got [secret].')
  t.equal(redact('got abcdefghij', ['abcdef', 'efghijklmn']), 'got [secret]')
})

void t.test('long secret texts with much in common are found in little time', async (t) => {
  const like = (at: number) => `${'a'.repeat(4_000 - at)}b${'a'.repeat(at)}`
  const texts = Array.from({ length: 3_000 }, (_, at) => like(at))
  const masker = new SecretMasker()
  for (const text of texts) masker.add(text)
  t.notOk(masker.isFull)
  const message = 'a'.repeat(8_192)
  for (let at = 0; at < 20; at++) t.equal(masker.mask(message), `${'a'.repeat(4_192)}[secret]`)
  t.equal(masker.mask(`x${like(7)}x`), 'x[secret]x')
})

void t.test('a message that is cut here does not end with the beginning of a secret text', async (t) => {
  const shown = redact(`${'x'.repeat(8_180)}${secret}`, [secret])
  t.equal(shown, `${'x'.repeat(8_180)}[secret] …`)
  for (const [message, expected] of [
    ['ababab', 'ab[secret]'],
    ['xababa', 'x[secret]'],
    ['xaba', 'xaba'],
  ] as const)
    t.equal(redact(message, ['ababac']), expected)
})

void t.test('a message is not shown if there are too many secret texts to mask each', async (t) => {
  const many = Array.from({ length: 500_000 }, (_, index) => `secret-${index}`)
  for (const message of ['got secret-7', 'got secret-499999'])
    t.match(redact(message, many), /^this message is not shown, because it may contain secret values/)
  const long = Array.from({ length: 3_000 }, (_, index) => `${index}${'a'.repeat(10_000)}`)
  t.match(redact(long[2_999] ?? '', long), /^this message is not shown/)
  t.equal(redact('got secret-7', many.slice(0, 1_000)), 'got [secret]')
  t.equal(redact('got secret-7', Array(500_000).fill('secret-7')), 'got [secret]')
})
