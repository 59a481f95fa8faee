import t from 'tap'
import type { KubeObject } from '../kube/object.js'
import { isStoredAsPatched, isStoredAsSent } from './stored-as-sent.js'

const sent = {
  metadata: { name: 'a', namespace: 'default', labels: { app: 'web' } },
  data: { text: 'hi' },
}
const stored = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    ...sent.metadata,
    uid: 'u1',
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: '2026-01-31T12:00:00Z',
    managedFields: [{}],
  },
  data: sent.data,
}
const metadata = (more: object) => ({ ...stored, metadata: { ...stored.metadata, ...more } }) as KubeObject

void t.test('fields that only the server sets do not make an object different', async (t) => {
  t.ok(isStoredAsSent(sent, stored))
  t.ok(isStoredAsSent({ ...stored, metadata: { ...stored.metadata, resourceVersion: '6' } }, stored))
  t.ok(isStoredAsSent(sent, { ...stored, status: { phase: 'Active' } } as KubeObject))
})

void t.test('a default or a change by a webhook makes an object different', async (t) => {
  const altered: KubeObject[] = [
    metadata({ labels: { app: 'web', injected: 'yes' } }),
    metadata({ labels: {} }),
    metadata({ annotations: { injected: 'yes' } }),
    metadata({ finalizers: ['example.com/keep'] }),
    metadata({ ownerReferences: [] }),
    metadata({ deletionTimestamp: '2026-01-31T12:00:00Z' }),
    { ...stored, data: { text: 'ho' } } as KubeObject,
    { ...stored, immutable: false } as KubeObject,
    { ...stored, data: undefined } as KubeObject,
  ]
  for (const answer of altered) t.notOk(isStoredAsSent(sent, answer), JSON.stringify(answer))
  const withStatus = { ...sent, status: { phase: 'Active' } }
  t.notOk(isStoredAsSent(withStatus, stored))
  t.notOk(isStoredAsSent(withStatus, { ...stored, status: { phase: 'Failed' } } as KubeObject))
  t.ok(isStoredAsSent(withStatus, { ...stored, status: { phase: 'Active' } } as KubeObject))
})

void t.test('of a patch each member counts, and nothing else', async (t) => {
  const object = {
    ...stored,
    spec: { replicas: 2, list: [{ name: 'a', image: 'x', pull: 'Always' }], on: true },
  }
  const merged = (body: object) => isStoredAsPatched({ type: 'merge', body }, object)
  t.ok(merged({ spec: { replicas: 2 } }))
  t.ok(
    merged({ spec: { paused: null }, metadata: { resourceVersion: '6', uid: 'u1', labels: { app: 'web' } } }),
  )
  t.ok(
    merged({ spec: { list: [{ name: 'a', image: 'x' }] } }),
    'a default of an element is none of the patch',
  )
  t.ok(merged({ metadata: { annotations: {} } }))
  t.notOk(merged({ spec: { replicas: 3 } }))
  t.notOk(merged({ spec: { on: null } }))
  t.notOk(merged({ spec: { list: [] } }), 'somebody has added an element')
  t.notOk(merged({ spec: { list: [{ name: 'b', image: 'x' }] } }))
  t.notOk(merged({ spec: { list: { name: 'a' } } }))
  t.notOk(merged({ status: { ready: true } }))
  t.notOk(merged({ spec: { toString: {}, on: { off: 1 } } }))
  t.notOk(merged({ metadata: { labels: { app: 'db' } } }))
  t.ok(
    isStoredAsPatched(
      { type: 'apply', body: { kind: 'ConfigMap', apiVersion: 'v1', spec: { on: true } } },
      object,
    ),
  )
  t.notOk(isStoredAsPatched({ type: 'strategic', body: { spec: { on: true } } }, object))
  t.notOk(isStoredAsPatched({ type: 'json', body: [{ op: 'remove', path: '/data' }] }, object))
  let deep: object = {}
  for (let depth = 0; depth < 100; depth++) deep = { deep }
  t.notOk(isStoredAsPatched({ type: 'merge', body: deep }, { ...object, ...deep } as KubeObject))
})
