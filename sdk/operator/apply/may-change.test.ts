import t from 'tap'
import { deployments } from '../../engine/kube/builtin.js'
import type { KubeObject, ObjectMeta } from '../../engine/kube/object.js'
import { backups, key } from '../backups.fixture.js'
import type { Owner } from '../owner/owner.js'
import type { Adoption, ApplyRequest } from './apply-request.js'
import { handOverBody } from './hand-over-body.js'
import { checkMayChange, preconditionOf } from './may-change.js'

const owner: Owner = { cluster: 'main', resource: backups, key, uid: 'u1' }
const request = (adopt?: Adoption<KubeObject>) =>
  ({
    cluster: { name: 'main' },
    resource: deployments,
    primary: key,
    owner,
    ...(adopt && { adopt }),
  }) as unknown as ApplyRequest<KubeObject>
const reference = (uid: string, more: object = {}) => ({
  apiVersion: 'cache.my.domain/v1',
  kind: 'Backup',
  name: 'daily',
  uid,
  controller: true,
  ...more,
})
const live = (metadata: ObjectMeta): KubeObject => ({
  metadata: { ...key, uid: 'd1', resourceVersion: '7', ...metadata },
})
const owned = live({ ownerReferences: [reference('u1')] })
const deletionTimestamp = '2030-01-01T00:00:00Z'
const always = () => true

void t.test('an owned object is changed under its UID, unless it is being deleted', (t) => {
  t.doesNotThrow(() => checkMayChange(request(), owned))
  t.strictSame(preconditionOf(request(), owned), { uid: 'd1' })
  const going = live({ ownerReferences: [reference('u1')], deletionTimestamp })
  t.throws(() => checkMayChange(request(), going), { name: 'WaitError', message: /being deleted/ })
  t.end()
})

void t.test('an object of the former primary of that name is waited for', (t) => {
  const former = live({ ownerReferences: [reference('u0')] })
  t.throws(() => checkMayChange(request(), former), { name: 'WaitError', message: /earlier default\/daily/ })
  t.throws(() => checkMayChange(request(always), former), { name: 'WaitError' })
  t.end()
})

void t.test('only an object that nothing controls and that stays is adopted, as it was read', (t) => {
  const free = live({})
  t.throws(() => checkMayChange(request(), free), { name: 'NameConflictError' })
  t.doesNotThrow(() => checkMayChange(request(always), free))
  t.strictSame(preconditionOf(request(always), free), { uid: 'd1', resourceVersion: '7' })
  const controlled = live({ ownerReferences: [reference('x', { kind: 'Other', name: 'other' })] })
  t.throws(() => checkMayChange(request(always), controlled), { name: 'NameConflictError' })
  t.throws(() => checkMayChange(request(always), live({ deletionTimestamp })), { name: 'NameConflictError' })
  t.end()
})

void t.test('a hand-over has the fields that the manager owns, at the revision that was read', (t) => {
  const managedFields = [
    { manager: 'mine', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    { manager: 'other', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
  ]
  const object = { ...live({ managedFields } as ObjectMeta), spec: { replicas: 3, paused: true } }
  const paths = ['spec.replicas', 'spec.paused']
  t.strictSame(handOverBody(object, { fieldManager: 'mine', paths }), {
    spec: { replicas: 3 },
    metadata: { ...key, uid: 'd1', resourceVersion: '7' },
  })
  t.equal(handOverBody(object, { fieldManager: 'unknown', paths }), undefined)
  t.end()
})
