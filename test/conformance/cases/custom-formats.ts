import mapValues from 'lodash/mapValues.js'
import type { Case, CaseGroup } from '../case.js'
import { define } from '../custom-resource.js'

const source = 'k8s.io/kube-openapi pkg/validation/strfmt'

/** Texts that look wrong and are accepted, or look right and are refused. */
const odd = {
  'date-time': { accepted: '2023-12-19t09:00:00,1z', refused: '2023-12-19 09:00:00Z' },
  duration: { accepted: '1 day', refused: '1 foo' },
  uri: { accepted: 'http://', refused: 'http://a:1:2' },
  email: { accepted: 'X <a@b>', refused: 'a..b@c' },
  ipv4: { accepted: '01.2.3.4', refused: '1.2.3' },
  ipv6: { accepted: '::ffff:1.2.3.4', refused: 'fe80::1%eth0' },
  cidr: { accepted: '01.2.3.4/8', refused: 'fe80::1%e/64' },
  mac: { accepted: '010203040506', refused: '01:02-03:04:05:06' },
  isbn: { accepted: '0-306-40615-2', refused: '0306406153' },
  creditcard: { accepted: '4111-1111-1111-1111', refused: '4111111111111112' },
  ssn: { accepted: '123-45-6789', refused: '123456789' },
  rgbcolor: { accepted: 'rgb( 1 ,2,255)', refused: 'rgb(256,0,0)' },
  byte: { accepted: 'YQ==', refused: '' },
}

/** A text that is not of a format, and the error. */
function refuses(format: string, text: string): Case {
  return {
    name: `${format}: ${JSON.stringify(text)} is refused`,
    source,
    async run(client) {
      const properties = { a: { type: 'string', format } }
      const cars = await define(client, { spec: { type: 'object', properties } })
      const answer = await cars.create('x', { spec: { a: text } })
      const value = JSON.stringify(text)
      const because = [`spec.a: Invalid value: ${value}: spec.a in body must be of type ${format}: ${value}`]
      client.expect.invalid(answer, { kind: 'Car', group: cars.group, name: 'x', because })
    },
  }
}

/** The formats of texts in schemas of custom resources. */
export const customFormats: CaseGroup = {
  name: 'custom-formats',
  cases: [
    ...Object.entries(odd).map(([format, { refused }]) => refuses(format, refused)),
    {
      name: 'each format accepts odd texts',
      source,
      async run(client) {
        const properties = mapValues(odd, (_, format) => ({ type: 'string', format }))
        const cars = await define(client, { spec: { type: 'object', properties } })
        await cars.make('x', { spec: mapValues(odd, 'accepted') })
      },
    },
    {
      name: 'rules read durations and times as their formats do',
      source,
      async run(client) {
        const text = (format: string, rule: string) => ({
          type: 'string',
          maxLength: 40,
          format,
          'x-kubernetes-validations': [{ rule }],
        })
        const properties = {
          iso: text('duration', "self == duration('1h')"),
          day: text('duration', "self == duration('24h')"),
          exact: text('duration', "self == duration('-1500ms')"),
          time: text('date-time', "self == timestamp('2023-12-19T09:00:00.5Z')"),
        }
        const cars = await define(client, { spec: { type: 'object', properties } })
        const spec = { iso: 'PT1H', day: '1 day', exact: '-1.5s', time: '2023-12-19t09:00:00,5z' }
        await cars.make('x', { spec })
      },
    },
  ],
}
