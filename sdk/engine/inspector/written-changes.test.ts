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

void t.test('values of Secrets and of environment variables are not told', async (t) => {
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
})
