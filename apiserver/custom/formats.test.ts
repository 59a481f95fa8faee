import t from 'tap'
import { checkFormat } from './formats.js'

const fits = (text: string, format: string) =>
  checkFormat(text, { type: 'string', format }, 'spec.a') === undefined

void t.test('a duration with an ambiguous text is parsed in linear time', async (t) => {
  const units = '1s'.repeat(50_000)
  t.ok(fits(units, 'duration'))
  t.ok(fits(`${units}1`, 'duration'), 'what follows the last unit is not read')
  t.notOk(fits('1'.repeat(200_000), 'duration'))
  t.notOk(fits(`1${' '.repeat(200_000)}1`, 'duration'))
})

void t.test('a mail address with an ambiguous text is parsed in linear time', async (t) => {
  t.notOk(fits('a.'.repeat(50_000), 'email'))
  t.notOk(fits('"a" '.repeat(50_000), 'email'))
})

/** Texts that strfmt of k8s.io/kube-openapi accepts and refuses. */
const texts: Record<string, { accepted: string[]; refused: string[] }> = {
  'date-time': {
    accepted: ['2023-12-19T09:00:00Z', '2023-12-19t09:00:00.5+01:00', '2023-12-19T09:00:00,1Z'],
    refused: [
      ...['2023-12-19 09:00:00Z', '2023-12-19T09:00:00+0000', '2023-12-19T24:00:00Z', '2023-12-19T09:60:00Z'],
      ...['2023-12-19T09:00:60Z', '2023-02-30T09:00:00Z', '2023-12-19T09:00:00', ''],
    ],
  },
  duration: {
    accepted: [
      '1h30m',
      '.5s',
      '+1s',
      '0',
      '1 day',
      '2 weeks',
      '1 hr',
      'in 5 minutes',
      '-1 day',
      '999999999999h',
    ],
    refused: ['1 foo', '1 mi', '1 da', 'PT', '10', '', '99999999999999999999s', '999999999999.h'],
  },
  uri: {
    accepted: [
      ...['/a', '*', 'http://a', 'http://', 'a:b', 'http://[::1]:80', 'http://[fe80::1%25en0]', 'http://<a>'],
      ...['http://user:p@ss@h', 'pg://a:1,b:2', 'http://a?%zz'],
    ],
    refused: [
      '',
      'a',
      '/%zz',
      '/\u0001',
      'http://a b',
      'http://[::1',
      'http://a:b',
      'http://a:1:2',
      'http://%41',
    ],
  },
  email: {
    accepted: ['a@b', ' a@b ', 'X <a@b>', '"x y" <a@b>', 'a@[1.2.3.4]', 'a@b (c)', 'a@[::1]'],
    refused: ['a..b@c', '.a@c', 'a@', 'a @b', 'a@b>', 'a@[1.2.3]', 'a@b, c@d'],
  },
  ipv4: { accepted: ['01.2.3.4', '::ffff:1.2.3.4'], refused: ['1.2.3.256', '::1', '1.2.3'] },
  ipv6: { accepted: ['::1', '::ffff:1.2.3.4'], refused: ['fe80::1%eth0', '1.2.3.4', '::ffff:01.2.3.4'] },
  cidr: {
    accepted: ['01.2.3.4/8', '::/0', '1.2.3.4/08'],
    refused: ['fe80::1%e/64', '1.2.3.4/33', '1.2.3.4'],
  },
  mac: {
    accepted: ['01:02:03:04:05:06', '0102.0304.0506', '010203040506', '01-02-03-04-05-06-07-08'],
    refused: ['01:02-03:04:05:06', '01:02:03:04:05:06:07', '0102.0304:0506', '01:02:03:04:05:0g'],
  },
  isbn: { accepted: ['0-306-40615-2', '9780306406157'], refused: ['0306406153', '9780306406158'] },
  isbn10: { accepted: ['080442957X'], refused: ['0804429575', '9780306406157'] },
  isbn13: { accepted: ['978-0-306-40615-7'], refused: ['1234567890123'] },
  creditcard: { accepted: ['4111-1111-1111-1111'], refused: ['4111111111111112', '0000000000000000'] },
  ssn: { accepted: ['123-45-6789'], refused: ['123456789', '123-456789'] },
  rgbcolor: { accepted: ['rgb( 1 ,2,255)'], refused: ['rgb(256,0,0)', 'rgb(01,2,3)'] },
  byte: { accepted: ['YQ==', 'YWJj'], refused: ['', 'YQ', '-_-_'] },
}

void t.test('formats accept the texts that a kube-apiserver accepts', async (t) => {
  for (const [format, { accepted, refused }] of Object.entries(texts)) {
    t.strictSame(
      accepted.filter((text) => !fits(text, format)),
      [],
      `${format}: accepted`,
    )
    t.strictSame(
      refused.filter((text) => fits(text, format)),
      [],
      `${format}: refused`,
    )
  }
})
