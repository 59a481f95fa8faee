import t from 'tap'
import { parseJson } from '../kube/json.js'
import type { KubeObject } from '../kube/object.js'
import { headOf, scanHead } from './event-head.js'

const line = (text: string) => new TextEncoder().encode(text)
const prefix = '{"type":"MODIFIED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{'
const named = `${prefix}"name":"a","namespace":"default","uid":"u1","resourceVersion":"7"`
const head = {
  type: 'MODIFIED',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'a',
  namespace: 'default',
  uid: 'u1',
  resourceVersion: '7',
}

void t.test('the scanned head of a line equals the head of the parsed line', async (t) => {
  const texts = [
    `${named}},"data":{}}}`,
    `${named},"generation":2}}}`,
    `${prefix}"name":"a-x1","generateName":"a-","namespace":"default","uid":"u1","resourceVersion":"7"}}}`,
    '{"type":"DELETED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"n","uid":"u2","resourceVersion":"8"}}}',
  ]
  for (const text of texts) {
    const { type, object } = parseJson(text) as { type: 'MODIFIED'; object: KubeObject }
    t.strictSame(scanHead(line(text)), headOf(type, object))
  }
  t.strictSame(scanHead(line(`${named}}}}`)), head)
  t.equal(headOf('ADDED', { metadata: { name: 'a' } }), undefined)
})

void t.test('a line that begins in any other way is left to the parser', async (t) => {
  const texts = [
    '',
    '{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"7"}}}',
    '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"code":410}}',
    '{"object":{"kind":"ConfigMap"},"type":"MODIFIED"}',
    '{"type":"MODIFIED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}}',
    `${prefix}"annotations":{},"name":"a","namespace":"default","uid":"u1","resourceVersion":"7"}}}`,
    `${prefix}"name":"a\\u0062","namespace":"default","uid":"u1","resourceVersion":"7"}}}`,
    `${prefix}"name":"ä","namespace":"default","uid":"u1","resourceVersion":"7"}}}`,
    `${prefix}"name":"${'a'.repeat(2000)}","namespace":"default","uid":"u1","resourceVersion":"7"}}}`,
    `${prefix}"name":"a","namespace":"default","uid":"u1","resourceVersion":7}}}`,
    named.slice(0, -1),
  ]
  for (const text of texts) t.equal(scanHead(line(text)), undefined, text)
})

void t.test('a value cannot pass for a member of the head', async (t) => {
  const forged = JSON.stringify({ name: 'b', namespace: 'kube-system', uid: 'u9', resourceVersion: '99' })
  const object = (value: string) => ({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'default', uid: 'u1', resourceVersion: '7', labels: { app: value } },
    data: { text: value },
  })
  for (const value of [forged, `x","uid":"u9`, `","resourceVersion":"99"`, named])
    t.strictSame(scanHead(line(JSON.stringify({ type: 'MODIFIED', object: object(value) }))), head, value)
  for (const name of ['a","namespace":"kube-system', 'a\\', '"'])
    t.equal(
      scanHead(
        line(
          JSON.stringify({
            type: 'MODIFIED',
            object: { ...object(''), metadata: { ...object('').metadata, name } },
          }),
        ),
      ),
      undefined,
    )
})
