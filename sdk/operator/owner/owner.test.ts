import t from 'tap'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { mayRefer, type Owner, ownerReference } from './owner.js'
import { ownerLabels } from './owner-labels.js'
import { claimOf, ownershipOf } from './ownership.js'

const backups: Resource = {
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Backup',
  plural: 'backups',
  namespaced: true,
}
const owner: Owner = {
  cluster: 'main',
  resource: backups,
  key: { namespace: 'team', name: 'daily' },
  uid: 'u1',
}
const ofCluster: Owner = {
  ...owner,
  resource: { ...backups, namespaced: false },
  key: { namespace: '', name: 'daily' },
}

const withReference = (of: Owner, metadata: object = {}): KubeObject => ({
  metadata: { namespace: 'team', name: 'web', ownerReferences: [ownerReference(of)], ...metadata },
})

void t.test('a reference is legal in the namespace of its owner, or to a cluster-scoped owner', async (t) => {
  t.ok(mayRefer(owner, { cluster: 'main', namespace: 'team' }))
  t.notOk(mayRefer(owner, { cluster: 'main', namespace: 'other' }))
  t.notOk(mayRefer(owner, { cluster: 'main', namespace: '' }), 'a cluster-scoped dependent')
  t.notOk(mayRefer(owner, { cluster: 'host', namespace: 'team' }))
  t.ok(mayRefer(ofCluster, { cluster: 'main', namespace: 'other' }))
  t.ok(mayRefer(ofCluster, { cluster: 'main', namespace: '' }))
})

void t.test('an object belongs to the owner whose UID its controller reference has', async (t) => {
  t.equal(ownershipOf(withReference(owner), 'main', owner), 'owned')
  t.equal(ownershipOf(withReference({ ...owner, uid: 'u0' }), 'main', owner), 'former')
  t.equal(ownershipOf({ metadata: { name: 'web', namespace: 'team' } }, 'main', owner), 'foreign')
  t.equal(ownershipOf(withReference(owner), 'host', owner), 'foreign', 'UIDs of another cluster mean nothing')
  const other = { ...owner, key: { namespace: 'team', name: 'weekly' } }
  t.equal(ownershipOf(withReference(other), 'main', owner), 'foreign')
  const shared = withReference(owner, { ownerReferences: [{ ...ownerReference(owner), controller: false }] })
  t.equal(ownershipOf(shared, 'main', owner), 'foreign', 'only the controller reference counts')
})

void t.test('a reference to another version of the kind is one to the kind', async (t) => {
  const reference = { ...ownerReference(owner), apiVersion: 'cache.my.domain/v1beta1' }
  t.equal(ownershipOf(withReference(owner, { ownerReferences: [reference] }), 'main', owner), 'owned')
  const otherGroup = { ...reference, apiVersion: 'other.domain/v1' }
  t.equal(ownershipOf(withReference(owner, { ownerReferences: [otherGroup] }), 'main', owner), 'foreign')
})

void t.test('labels name an owner in another cluster or namespace', async (t) => {
  const copy: KubeObject = { metadata: { name: 'web', namespace: 'elsewhere', ...ownerLabels(owner) } }
  t.equal(ownershipOf(copy, 'host', owner), 'owned')
  t.equal(ownershipOf(copy, 'host', { ...owner, uid: 'u2' }), 'former')
  t.same(claimOf(copy, 'host', owner), { key: owner.key, uid: 'u1' })
  t.equal(
    claimOf(copy, 'host', { ...owner, cluster: 'virtual' }),
    undefined,
    'another cluster of the same kind',
  )
  const clusterScoped: KubeObject = { metadata: { name: 'web', ...ownerLabels(ofCluster) } }
  t.same(claimOf(clusterScoped, 'host', ofCluster), { key: { namespace: '', name: 'daily' }, uid: 'u1' })
})

void t.test('a label without its annotations claims nothing', async (t) => {
  const { labels } = ownerLabels(owner)
  t.equal(claimOf({ metadata: { name: 'web', labels } }, 'host', owner), undefined)
})
