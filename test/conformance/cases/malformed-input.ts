import type { CaseGroup } from '../case.js'

const decoding = 'k8s.io/apimachinery pkg/runtime/serializer/json/json.go @ v0.36.3'
const limits = 'k8s.io/apiserver pkg/server/config.go @ v0.36.3, MaxRequestBodyBytes'
const named = '"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}'

/** Malformed and oversized requests. */
export const malformedInput: CaseGroup = {
  name: 'malformed-input',
  cases: [
    {
      name: 'a truncated body is a 400',
      source: decoding,
      async run({ post, expect }) {
        expect.refused(await post('configmaps', `{${named}`), {
          code: 400,
          reason: 'BadRequest',
          message:
            'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"apiVersion":"v1","kind":"Con ...)',
        })
      },
    },
    {
      name: 'a body that is not JSON is a 400',
      source: decoding,
      async run({ post, expect }) {
        expect.answer(await post('configmaps', 'no json'), 400, {
          reason: 'BadRequest',
          message:
            /^the object provided is unrecognized \(must be of type ConfigMap\): couldn't get version\/kind; json parse error: /,
        })
      },
    },
    {
      name: 'an empty body is a 400',
      source: decoding,
      async run({ post, expect }) {
        expect.answer(await post('configmaps', ''), 400, { reason: 'BadRequest' })
      },
    },
    {
      name: 'an array is a 400',
      source: decoding,
      async run({ post, expect }) {
        expect.answer(await post('configmaps', '[]'), 400, { reason: 'BadRequest' })
      },
    },
    {
      name: 'null is a 400 or an object without a name',
      source: decoding,
      async run({ post, expect }) {
        expect.answer(await post('configmaps', 'null'), 422, { reason: 'Invalid' })
      },
    },
    {
      name: 'data after the body is a 400',
      source: decoding,
      async run({ post, expect }) {
        expect.answer(await post('configmaps', `{${named}} more`), 400, { reason: 'BadRequest' })
      },
    },
    {
      name: 'a field of the wrong type is a 400 with its name',
      source: decoding,
      async run({ post, expect }) {
        expect.refused(await post('configmaps', `{${named},"data":[]}`), {
          code: 400,
          reason: 'BadRequest',
          message:
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
        })
      },
    },
    {
      name: 'a string instead of a number is a 400 with its name',
      source: decoding,
      async run({ post, expect }) {
        const spec = { ports: [{ port: 'eighty' }] }
        expect.refused(await post('services', { metadata: { name: 'a' }, spec }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'Service in version "v1" cannot be handled as a Service: json: cannot unmarshal string into Go struct field ServicePort.spec.ports.port of type int32',
        })
      },
    },
    {
      name: 'a fraction instead of an integer is a 400',
      source: decoding,
      async run({ post, expect }) {
        const spec = { ports: [{ port: 80.5 }] }
        expect.answer(await post('services', { metadata: { name: 'a' }, spec }), 400, {
          message:
            /cannot unmarshal number 80\.5 into Go struct field ServicePort\.spec\.ports\.port of type int32$/,
        })
      },
    },
    {
      name: 'options of a delete must have their types',
      source: decoding,
      async run({ make, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const field = 'into Go struct field DeleteOptions'
        const wrong: readonly (readonly [object, string])[] = [
          [
            { gracePeriodSeconds: 1.5 },
            `json: cannot unmarshal number 1.5 ${field}.gracePeriodSeconds of type int64`,
          ],
          [
            { preconditions: 'x' },
            `json: cannot unmarshal string ${field}.preconditions of type v1.Preconditions`,
          ],
          [{ dryRun: 'All' }, `json: cannot unmarshal string ${field}.dryRun of type []string`],
          [
            { kind: 'Pod', apiVersion: 'v1' },
            'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
          ],
        ]
        for (const [body, message] of wrong) {
          expect.refused(await remove('configmaps/a', body), { code: 400, reason: 'BadRequest', message })
        }
      },
    },
    {
      name: 'an object of another kind is decoded as its stated kind',
      source: decoding,
      async run({ make, put, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { k: '!' } }
        expect.refused(await put('configmaps/a', body), {
          code: 400,
          reason: 'BadRequest',
          message:
            'Secret in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
        })
      },
    },
    {
      name: 'a body of more than 3 MiB is a 413',
      source: limits,
      async run({ post, expect }) {
        const body = `{${named},"data":{"k":"${'x'.repeat(3 * 1024 * 1024)}"}}`
        expect.refused(await post('configmaps', body), {
          code: 413,
          reason: 'RequestEntityTooLarge',
          message: 'Request entity too large: limit is 3145728',
        })
      },
    },
    {
      name: 'a body nested 10,000 deep is rejected, and the server keeps running',
      source: 'encoding/json, maximum depth',
      async run({ post, get, expect }) {
        const deep = `${'{"a":'.repeat(10_001)}1${'}'.repeat(10_001)}`
        const answer = await post('configmaps', `{${named},"deep":${deep}}`)
        expect.answer(answer, 400, { reason: 'BadRequest' })
        expect.answer(await get('configmaps'), 200)
      },
    },
    {
      name: 'invalid UTF-8 becomes replacement characters',
      source: 'encoding/json',
      async run({ post, expect }) {
        const body = Buffer.concat([
          Buffer.from(`{${named},"data":{"k":"`),
          Buffer.from([0xff, 0xfe]),
          Buffer.from('"}}'),
        ])
        expect.answer(await post('configmaps', body), 201, { data: { k: '\ufffd\ufffd' } })
      },
    },
    {
      name: 'a lone surrogate becomes a replacement character',
      source: 'encoding/json',
      async run({ post, expect }) {
        expect.answer(await post('configmaps', `{${named},"data":{"k":"\\ud800"}}`), 201, {
          data: { k: '\ufffd' },
        })
      },
    },
    {
      name: 'a path with an invalid escape is rejected',
      source: 'net/http',
      async run({ cluster, path, expect }) {
        const { status } = await cluster.request({ method: 'GET', path: `${path('configmaps')}/a%` })
        expect.same(status, 400)
      },
    },
    {
      name: 'an encoded slash in a name separates two segments',
      source: 'net/http, URL.Path',
      async run({ get, expect }) {
        expect.answer(await get('configmaps/a%2Fb'), 404, { reason: 'NotFound' })
      },
    },
    {
      name: 'the first value of a repeated parameter counts',
      source: 'k8s.io/apimachinery pkg/runtime/conversion.go @ v0.36.3',
      async run({ make, get, expect }) {
        await make('secrets', { metadata: { name: 'a' } })
        await make('secrets', { metadata: { name: 'b' } })
        expect.answer(await get('secrets?limit=1&limit=2'), 200, { items: [{ metadata: { name: 'a' } }] })
      },
    },
    {
      name: 'an unknown parameter is ignored',
      source: 'k8s.io/apimachinery pkg/runtime/conversion.go @ v0.36.3',
      async run({ get, expect }) {
        expect.answer(await get('secrets?unknown=x'), 200, { kind: 'SecretList' })
      },
    },
  ],
}
