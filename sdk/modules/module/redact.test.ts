import t from 'tap'
import { redact } from '../../observe/redact.js'
import { receivedError } from '../process/received-error.js'
import { failureOf } from './failure.js'

const secret = 'correct-horse-battery-staple'

void t.test('a secret text that crosses the cut of a message is not shown', async (t) => {
  for (const begin of [1_000, 1_010, 1_020, 4_080]) {
    const sent = `${'x'.repeat(begin)}${secret} and more`.slice(0, 4_096)
    const { message } = failureOf(receivedError({ name: 'Error', message: sent }), 'install', [secret])
    t.ok(message.length <= 1_024)
    t.notMatch(message, 'corr', `a secret text from character ${begin} on`)
  }
})

void t.test('a secret text at the cut of a program is not shown, though other ones made room', async (t) => {
  const long = 'y'.repeat(4_080)
  const message = `${long}${secret}`.slice(0, 4_096)
  const error = receivedError({ name: 'Error', message })
  t.equal(failureOf(error, 'install', [secret, long]).message, '[secret][secret]')
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
    receivedError({ name: '', message: key }).message,
  ])
    t.equal(redact(`bad key ${shown}.`, [key]), 'bad key [secret].')
})

void t.test('a message without secret texts stays, and very short texts are not left out', async (t) => {
  t.equal(redact('the port cor is in use', [secret]), 'the port cor is in use')
  t.equal(redact('at 8080 cor', [secret, '808', '']), 'at 8080 cor')
})
