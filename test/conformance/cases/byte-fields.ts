import type { CaseGroup } from '../case.js'

const source = 'encoding/json of Go 1.26'

/** Fields of bytes, which are base64 strings or lists of numbers. */
export const byteFields: CaseGroup = {
  name: 'byte-fields',
  cases: [
    {
      name: 'bytes may be a list of numbers',
      source,
      async run({ post, patch, expect }) {
        const secret = await post('secrets', {
          metadata: { name: 'a' },
          data: { a: [104, 105], b: [], c: [null] },
        })
        expect.answer(secret, 201, { data: { a: 'aGk=', b: '', c: 'AA==' } })
        const map = await post('configmaps', { metadata: { name: 'a' }, binaryData: { a: [104, 105] } })
        expect.answer(map, 201, { binaryData: { a: 'aGk=' } })
        for (const type of ['merge', 'strategic'] as const) {
          const changed = await patch('configmaps/a', type, { binaryData: { [type]: [104] } })
          expect.answer(changed, 200, { binaryData: { [type]: 'aA==' } })
        }
        const added = await patch('secrets/a', 'json', [{ op: 'add', path: '/data/d', value: [104] }])
        expect.answer(added, 200, { data: { d: 'aA==' } })
      },
    },
    {
      name: 'a list of other values is not a list of bytes',
      source,
      async run({ post, expect }) {
        for (const [value, found] of [
          [300, 'number 300'],
          [-1, 'number -1'],
          [1.5, 'number 1.5'],
          ['a', 'string'],
          [true, 'bool'],
          [[1], 'array'],
          [{}, 'object'],
        ] as const) {
          const answer = await post('secrets', { metadata: { name: 'a' }, data: { a: [value] } })
          const problem = `json: cannot unmarshal ${found} into Go struct field Secret.data of type uint8`
          expect.refused(answer, {
            code: 400,
            reason: 'BadRequest',
            message: `Secret in version "v1" cannot be handled as a Secret: ${problem}`,
          })
        }
      },
    },
  ],
}
