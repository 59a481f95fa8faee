import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { configMaps, pods, secrets } from '../kube/builtin.js'
import { writtenChanges } from './written-changes.js'

const metadata = { name: 'one', namespace: 'default', resourceVersion: '1' }
const later = { ...metadata, resourceVersion: '2', labels: { app: 'web' } }

const order = (path: string) => ['data.text', 'data.gone', 'metadata.labels'].indexOf(path)

void t.test('a write tells which fields it changed, without those that an API server sets', async (t) => {
  const written = { resource: configMaps, object: { metadata: later, data: { text: 'new', gone: 'no' } } }
  t.same(
    writtenChanges(written, { metadata, data: { text: 'old' } } as never),
    [
      { path: 'metadata.labels', from: null, to: '{"app":"web"}' },
      { path: 'data.text', from: '"old"', to: '"new"' },
      { path: 'data.gone', from: null, to: '"no"' },
    ].sort((a, b) => order(a.path) - order(b.path)),
  )
  t.equal(writtenChanges(written, undefined), undefined, 'everything is new')
  const deleted = { resource: configMaps, key: metadata, uid: '1', deleted: true } as const
  t.equal(writtenChanges(deleted, { metadata }), undefined)
})

void t.test(
  'values of Secrets, of environment variables and of other named parameters are not reported',
  async (t) => {
    const secret = (text: string) => ({ metadata, data: { password: Buffer.from(text).toString('base64') } })
    const told = JSON.stringify(
      writtenChanges({ resource: secrets, object: secret('hunter2') }, secret('first')),
    )
    t.match(told, /"path":"data.password".*bytes, hash/)
    t.notOk(told.includes(secret('hunter2').data.password))
    const pod = (value: string) => ({
      metadata,
      spec: { containers: [{ name: 'app', env: [{ name: 'PASSWORD', value }] }] },
    })
    const ofPod = JSON.stringify(writtenChanges({ resource: pods, object: pod('hunter2') }, pod('first')))
    t.match(ofPod, /bytes, hash/)
    t.notMatch(ofPod, /hunter2|first/)
    const withParameter = (value: string) => ({
      metadata,
      spec: { parameters: [{ name: 'password', value }] },
    })
    const ofParameter = { resource: configMaps, object: withParameter('hunter2') }
    t.match(JSON.stringify(writtenChanges(ofParameter, withParameter('first'))), /bytes, hash/)
    t.notMatch(JSON.stringify(writtenChanges(ofParameter, withParameter('first'))), /hunter2|first/)
  },
)

const textOf = (text: string) => ({ metadata, data: { text } })
const changesTo = (text: string) =>
  writtenChanges({ resource: configMaps, object: textOf(text) }, textOf('old')) ?? []

void t.test('of large values and names only the beginning stays in memory', (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // The values are not constants, because those stay in memory anyway.
  const noted = () => Array.from({ length: 50 }, (_, n) => changesTo(Buffer.alloc(1e6, `${n}`).toString()))
  noted()
  collect()
  const before = process.memoryUsage().heapUsed
  const kept = noted()
  collect()
  const grownBytes = process.memoryUsage().heapUsed - before
  t.ok(grownBytes < 5e6, `${grownBytes} bytes for ${kept.length} writes of 1 MB`)
  t.same(kept[7], [{ path: 'data.text', from: '"old"', to: `"${'7'.repeat(79)}…` }])
  const name = 'x'.repeat(200_000)
  const [change] = writtenChanges({ resource: configMaps, object: textOf('') }, {
    ...textOf(''),
    [name]: 1,
  } as never) ?? [{ path: '' }]
  t.equal(change?.path, `${'x'.repeat(200)}…`)
  t.end()
})

void t.test('a value is shown as the beginning of its JSON', (t) => {
  const to = (value: unknown) =>
    writtenChanges({ resource: configMaps, object: { metadata, data: { a: value } } as never }, {
      metadata,
      data: {},
    } as never)?.[0]?.to
  const fits = { a: [1, null, true, 'x'], b: { c: {} }, name: 'n', value: 'secret' }
  t.match(to(fits), /^{"a":\[1,null,true,"x"\],"b":{"c":{}},"name":"n","value":"<6 bytes, hash /)
  t.equal(to({ a: [1, null], b: '"' }), '{"a":[1,null],"b":"\\""}')
  const list = Array.from({ length: 1000 }, (_, n) => n)
  t.equal(to(list), `${JSON.stringify(list).slice(0, 80)}…`)
  let deep: unknown = 1
  for (let n = 0; n < 100; n++) deep = { a: [deep, n] }
  t.equal(to(deep), `${JSON.stringify(deep).slice(0, 80)}…`)
  t.end()
})
