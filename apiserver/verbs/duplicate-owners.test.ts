// Tests the removal of duplicate owner references.
import t from 'tap'
import type { ObjectMeta } from '../../sdk/engine/kube/object.js'
import { dropDuplicateOwners } from './duplicate-owners.js'

const ownerOf = (uid: string, rest: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'o',
  uid,
  ...rest,
})

void t.test('only equal references are duplicates', async (t) => {
  const first = ownerOf('1')
  const reordered = { uid: '1', name: 'o', kind: 'ConfigMap', apiVersion: 'v1' }
  const others = [ownerOf('2'), ownerOf('1', { controller: false }), ownerOf('1', { name: 'p' })]
  const metadata: ObjectMeta = { ownerReferences: [first, others[0] ?? first, reordered, ...others.slice(1)] }
  const warnings: string[] = []
  dropDuplicateOwners(metadata, warnings)
  t.same(metadata.ownerReferences, [first, ...others])
  t.match(warnings, [/; duplicate UID\(s\) observed: 1$/])
})

void t.test('many references are compared in linear time', async (t) => {
  const count = 60_000
  const ownerReferences = Array.from({ length: count }, (_, index) => ownerOf(String(index)))
  const metadata: ObjectMeta = { ownerReferences: [...ownerReferences, ...ownerReferences] }
  const warnings: string[] = []
  dropDuplicateOwners(metadata, warnings)
  t.equal(metadata.ownerReferences?.length, count)
  t.equal(warnings.length, 1)
})
