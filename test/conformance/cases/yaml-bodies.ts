import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { define } from '../custom-resource.js'

const source = 'go.yaml.in/yaml/v2 resolve.go @ v2.4.3, as sigs.k8s.io/yaml uses it'
const yaml = { headers: { 'content-type': 'application/yaml' } }

/** The values that a real server reads after `v: `. */
const values: readonly [text: string, value: unknown][] = [
  ['yes', true],
  ['oN', 'oN'],
  ['n', false],
  ['Off', false],
  ['017', 15],
  ['0o17', 15],
  ['089', 89],
  ['0x1F', 31],
  ['-0b11', -3],
  ['1_000', 1000],
  ['_1', '_1'],
  ['1_0.5', 10.5],
  ['12:30', '12:30'],
  ['2001-01-01', '2001-01-01'],
  ['!!timestamp 2001-01-01', '2001-01-01'],
  ['1e400', '1e400'],
  ['0xFFFFFFFFFFFFFFFFFF', '0xFFFFFFFFFFFFFFFFFF'],
  ['~', null],
  ['nULL', 'nULL'],
  ['!!binary aGVsbG8=', 'hello'],
  ['!!int "017"', 15],
  ['!!str yes', 'yes'],
  ['!other x', 'x'],
  ['"yes"', 'yes'],
  ['[yes, {a: 0b1}]', [true, { a: 1 }]],
  ['!!set {a}', { a: null }],
  ['!!omap [a: 1]', [{ a: 1 }]],
]

const refused: readonly [text: string, problem: string][] = [
  ['.nan', 'json: unsupported value: NaN'],
  ['-.inf', 'json: unsupported value: -Inf'],
  ['!!binary "###"', 'yaml: !!binary value contains invalid base64 data'],
  ['!!int 5.5', 'yaml: cannot decode !!float `5.5` as a !!int'],
  ['*other', "yaml: unknown anchor 'other' referenced"],
  ['@a', 'yaml: line 6: found character that cannot start any token'],
  ['a: b', 'yaml: line 6: mapping values are not allowed in this context'],
]

async function anything(client: CaseClient) {
  const { group, path } = await define(client)
  return (spec: string) =>
    client.post(
      `${path()}?dryRun=All`,
      `apiVersion: ${group}/v1\nkind: Car\nmetadata:\n  name: a\nspec:\n  ${spec}\n`,
      yaml,
    )
}

const configMap = (data: string, name = 'a') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${data}`

/** Bodies in YAML. A real server reads scalars by YAML 1.1. */
export const yamlBodies: CaseGroup = {
  name: 'yaml-bodies',
  cases: [
    {
      name: 'plain scalars are those of YAML 1.1, without times and sexagesimal numbers',
      source,
      async run(client) {
        const post = await anything(client)
        for (const [text, value] of values) {
          const { status, body } = await post(`v: ${text}`)
          client.expect.same([text, status, body.spec], [text, 201, { v: value }])
        }
      },
    },
    {
      name: 'an integer beyond the precision of a double is kept',
      source,
      async run(client) {
        const post = await anything(client)
        for (const text of ['9007199254740993', '-9223372036854775808', '0x7FFFFFFFFFFFFFFF']) {
          const answer = await post(`v: ${text}`)
          client.expect.ok(answer.text.includes(`"v":${BigInt(text)}`), answer.text)
        }
      },
    },
    {
      name: 'keys become strings, and a merge key adds missing keys',
      source,
      async run(client) {
        const post = await anything(client)
        for (const [text, spec] of [
          ['yes: a', { true: 'a' }],
          ['017: a', { 15: 'a' }],
          ['x: &x {q: 1}\n  w:\n    <<: *x\n    z: 2', { x: { q: 1 }, w: { q: 1, z: 2 } }],
          ['x: &x {q: 1}\n  w:\n    <<: *x\n    q: 2', { x: { q: 1 }, w: { q: 2 } }],
        ] as const)
          client.expect.same((await post(text)).body.spec, spec)
      },
    },
    {
      name: 'invalid YAML is rejected with the reason',
      source,
      async run(client) {
        const post = await anything(client)
        for (const [text, problem] of refused) {
          const { status, body } = await post(`v: ${text}`)
          client.expect.same(status, 400)
          const told = `the object provided is unrecognized (must be of type Car): ${problem} (`
          client.expect.ok(String(body.message).startsWith(told), `${text}: ${body.message}`)
        }
      },
    },
    {
      name: 'the first of several documents is used',
      source,
      async run({ post, expect }) {
        const both = `${configMap('  v: x\n')}---\n${configMap('  v: z\n', 'b')}`
        expect.answer(await post('configmaps', both, yaml), 201, {
          metadata: { name: 'a' },
          data: { v: 'x' },
        })
      },
    },
    {
      name: 'a duplicate key causes a warning, and an error with strict validation',
      source: 'https://kep.k8s.io/2885',
      async run({ post, expect }) {
        const twice = configMap('  v: x\n  v: z\n')
        const answer = await post('configmaps?dryRun=All', twice, yaml)
        expect.answer(answer, 201, { data: { v: 'z' } })
        expect.same(answer.headers.warning, '299 - "line 7: key \\"v\\" already set in map"')
        expect.refused(await post('configmaps?fieldValidation=Strict', twice, yaml), {
          code: 400,
          reason: 'BadRequest',
          message:
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 7: key "v" already set in map',
        })
      },
    },
    {
      name: 'a boolean is not a string, in a body and in an apply',
      source,
      async run({ post, patch, expect }) {
        expect.refused(await post('configmaps', configMap('  v: yes\n'), yaml), {
          code: 400,
          reason: 'BadRequest',
          message:
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal bool into Go struct field ConfigMap.data of type string',
        })
        const applied = (data: string) => patch('configmaps/a?fieldManager=m', 'apply', configMap(data))
        expect.answer(await applied('  v: yes\n'), 500)
        expect.answer(await applied('  v: !!binary aGVsbG8=\n  t: 12:30\n'), 201, {
          data: { v: 'hello', t: '12:30' },
        })
      },
    },
    {
      name: 'a list or a string is not an object',
      source: 'k8s.io/apimachinery pkg/runtime/serializer/json @ v0.36.3',
      async run({ post, expect }) {
        for (const [text, found] of [
          ['- a\n', 'array'],
          ['a', 'string'],
        ] as const) {
          const { status, body } = await post('configmaps', text, yaml)
          expect.same(status, 400)
          expect.ok(
            String(body.message).includes(`cannot unmarshal ${found} into Go value`),
            String(body.message),
          )
        }
      },
    },
  ],
}
