// Tests the decoder of protobuf bodies with long lists and maps.
import t from 'tap'
import { protobufMessage } from '../../test/conformance/protobuf-body.js'
import { readMessage } from './protobuf.js'
import { structNamed } from './schema.js'

const count = 200_000
const configMap = structNamed('core/v1.ConfigMap')
const entry = (key: string, value: string) => protobufMessage([2, protobufMessage([1, key], [2, value])])

void t.test('a long list is decoded in linear time', async (t) => {
  const finalizer = protobufMessage([14, ''])
  const metadata = Buffer.concat(Array.from({ length: count }, () => finalizer))
  const read = readMessage(protobufMessage([1, metadata]), configMap) as {
    metadata: { finalizers: string[] }
  }
  t.equal(read.metadata.finalizers.length, count)
  t.equal(read.metadata.finalizers.at(-1), '')
})

void t.test('a long map is decoded in linear time', async (t) => {
  const entries = Array.from({ length: count }, (_, index) => entry(`k${index}`, String(index)))
  const read = readMessage(Buffer.concat(entries), configMap) as { data: Record<string, string> }
  t.equal(Object.keys(read.data).length, count)
  t.equal(read.data[`k${count - 1}`], String(count - 1))
})

void t.test(
  'lists and maps keep the order of their elements, and a repeated key has its last value',
  async (t) => {
    const metadata = protobufMessage([14, 'b'], [1, 'name'], [14, 'a'])
    const body = Buffer.concat([
      entry('k', '1'),
      protobufMessage([1, metadata]),
      entry('__proto__', '2'),
      entry('k', '3'),
    ])
    const read = readMessage(body, configMap)
    t.equal(
      JSON.stringify(read),
      '{"data":{"k":"3","__proto__":"2"},"metadata":{"finalizers":["b","a"],"name":"name"}}',
    )
  },
)
