import type { Case, CaseGroup } from '../case.js'
import { define } from '../custom-resource.js'

const decoder = 'k8s.io/apimachinery pkg/runtime/serializer/json/json.go @ v0.36.3'

/** A number that a schema's enum does not contain, as text to keep every digit. */
function refusesNumber(
  name: string,
  { number, shown, schema = {} }: { number: string; shown: string; schema?: object },
): Case {
  return {
    name,
    source: 'k8s.io/kube-openapi pkg/validation/validate/values.go',
    async run(client) {
      const properties = {
        size: { enum: [1, 1.5, 'x'], 'x-kubernetes-preserve-unknown-fields': true, ...schema },
      }
      const car = await define(client, { spec: { type: 'object', properties } })
      const head = `"apiVersion":"${car.group}/v1","kind":"Car","metadata":{"name":"a"}`
      const answer = await client.post(car.path(), `{${head},"spec":{"size":${number}}}`)
      client.expect.invalid(answer, {
        kind: 'Car',
        group: car.group,
        name: 'a',
        because: [`spec.size: Unsupported value: ${shown}: supported values: "1", "1.5", "x"`],
      })
    },
  }
}

/** An object with an empty or missing kind or version. */
function takesKind(name: string, kind: object): Case {
  return {
    name,
    source: decoder,
    async run({ post, put, patch, expect }) {
      const written = { ...kind, metadata: { name: 'a' }, data: { k: 'v' } }
      expect.answer(await post('configmaps', written), 201, { kind: 'ConfigMap', apiVersion: 'v1' })
      expect.answer(await put('configmaps/a', { ...written, data: { k: 'w' } }), 200, { data: { k: 'w' } })
      expect.answer(await patch('configmaps/a', 'merge', { kind: null }), 200, { kind: 'ConfigMap' })
    },
  }
}

const port = 'must be between 1 and 65535, inclusive'

/** Unusual values that are valid, or have an unexpected meaning. */
export const oddValues: CaseGroup = {
  name: 'odd-values',
  cases: [
    refusesNumber('a large number is rejected by an enum', {
      number: '9223372036854775807',
      shown: '9223372036854775807',
    }),
    refusesNumber('a number beyond 64 bits is rejected by an enum', {
      number: '90071992547409931234567890',
      shown: '9.007199254740994e+25',
    }),
    refusesNumber('an object with a large number is rejected by an enum', {
      number: '{"a":9223372036854775807}',
      shown: '{"a":9223372036854775807}',
    }),
    {
      name: 'a null in a list of ports is a port without a number',
      source: 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3',
      async run({ post, make, patch, expect }) {
        const because = [
          `spec.ports[0].port: Invalid value: 0: ${port}`,
          `spec.ports[0].targetPort: Invalid value: 0: ${port}`,
        ]
        const created = await post('services', { metadata: { name: 'a' }, spec: { ports: [null] } })
        expect.invalid(created, { kind: 'Service', name: 'a', because })
        await make('services', { metadata: { name: 'b' }, spec: { ports: [{ port: 80 }] } })
        const patched = await patch('services/b', 'merge', { spec: { ports: [null] } })
        expect.invalid(patched, { kind: 'Service', name: 'b', because })
      },
    },
    takesKind('a kind may be null', { kind: null }),
    takesKind('kind and version may be null', { kind: null, apiVersion: null }),
    {
      name: 'kind and version may be empty',
      source: decoder,
      async run({ post, expect }) {
        const answer = await post('configmaps', { kind: '', apiVersion: '', metadata: { name: 'a' } })
        expect.answer(answer, 201, { kind: 'ConfigMap', apiVersion: 'v1' })
      },
    },
    {
      name: 'an apply without a kind is rejected',
      source: 'k8s.io/apimachinery pkg/util/managedfields/internal/structuredmerge.go @ v0.36.3',
      async run({ patch, expect }) {
        const body = { kind: null, apiVersion: 'v1', metadata: { name: 'a' } }
        expect.refused(await patch('configmaps/a?fieldManager=m', 'apply', body), {
          code: 400,
          reason: 'BadRequest',
          message: 'invalid object type: /v1, Kind=',
        })
      },
    },
    {
      name: 'the offset of a time has at most 24 hours and 60 minutes',
      source: 'Go, time/format.go',
      async run({ post, expect }) {
        const lease = (acquireTime: string) =>
          post('leases', { metadata: { name: 'a' }, spec: { acquireTime } })
        const problems: [offset: string, problem: string][] = [
          ['+99:00', 'hour'],
          ['-25:00', 'hour'],
          ['+01:61', 'minute'],
          ['+99:99', 'minute'],
        ]
        for (const [offset, part] of problems) {
          const time = `2020-01-01T00:00:00.000000${offset}`
          expect.refused(await lease(time), {
            code: 400,
            reason: 'BadRequest',
            message: `Lease in version "v1" cannot be handled as a Lease: parsing time "${time}": time zone offset ${part} out of range`,
          })
        }
        const stored: [sent: string, stored: string][] = [
          ['2020-01-01T00:00:00.000000+24:00', '2019-12-31T00:00:00.000000Z'],
          ['2020-01-01T00:00:00.500000-23:60', '2020-01-02T00:00:00.500000Z'],
          ['9999-12-31T00:00:00.000000-24:00', '10000-01-01T00:00:00.000000Z'],
        ]
        for (const [sent, acquireTime] of stored) {
          const answer = await post('leases?dryRun=All', {
            metadata: { name: 'a' },
            spec: { acquireTime: sent },
          })
          expect.answer(answer, 201, { spec: { acquireTime } })
        }
      },
    },
    {
      name: 'a name is generated if the name is empty, also for a custom resource',
      source: 'Kubernetes documentation, Object Names and IDs, generateName',
      async run(client) {
        const { post, expect } = client
        const metadata = { name: '', generateName: 'a-' }
        expect.answer(await post('configmaps', { metadata }), 201, { metadata: { name: /^a-[a-z0-9]{5}$/ } })
        const car = await define(client)
        const body = { apiVersion: `${car.group}/v1`, kind: 'Car', metadata }
        expect.answer(await post(car.path(), body), 201, { metadata: { name: /^a-[a-z0-9]{5}$/ } })
        const long = { ...body, metadata: { generateName: 'b'.repeat(70) } }
        expect.answer(await post(car.path(), long), 201, { metadata: { name: /^b{58}[a-z0-9]{5}$/ } })
      },
    },
  ],
}
