import t from 'tap'
import { deployments } from '../../engine/kube/builtin.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject, ObjectMeta } from '../../engine/kube/object.js'
import { excludedKeys, hostAnnotations } from '../naming/annotations.js'
import { hostName } from '../naming/names.js'
import { isControlledByOther, provenSource, sourceUid } from './ownership.js'

const withMeta = (metadata: ObjectMeta): KubeObject => ({ metadata })

const observed = withMeta({
  name: 'greeting',
  namespace: 'default',
  uid: 'u1',
  labels: { app: 'web', release: 'r1', 'vcluster.loft.sh/namespace': 'spoof' },
  annotations: { note: 'hi', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
})
const observedKey: Key = { namespace: 'vc-host', name: 'greeting-x-default-x-vc' }

const ownership = {
  resource: deployments,
  marker: 'vc',
  hostKey: ({ name, namespace }: Key) => ({ namespace: 'vc-host', name: hostName(name, namespace, 'vc') }),
}
const annotations = hostAnnotations(observed, undefined, {
  hostKey: observedKey,
  resource: deployments,
  excluded: excludedKeys([]),
  accepts: () => true,
})
const ours = withMeta({ ...observedKey, labels: { 'vcluster.loft.sh/managed-by': 'vc' }, annotations })

const oldAnnotations = Object.entries(annotations).filter(([key]) => /object-name(space)?$/.test(key))
const oldCopy = withMeta({ ...ours.metadata, annotations: Object.fromEntries(oldAnnotations) })

void t.test('a copy is ours when label, annotations and name agree', async (t) => {
  const source = { name: 'greeting', namespace: 'default' }
  t.strictSame(provenSource(ours, ownership), source)
  t.equal(sourceUid(ours), 'u1')

  t.strictSame(provenSource(oldCopy, ownership), source, 'as the oldest SDKs marked it')
  t.equal(sourceUid(oldCopy), undefined)

  const earlierVersion = { ...annotations, 'vcluster.loft.sh/object-kind': 'apps/v1beta1, Kind=Deployment' }
  t.strictSame(provenSource(withMeta({ ...ours.metadata, annotations: earlierVersion }), ownership), source)
})

void t.test('a host object that differs in any of it is a foreign object', async (t) => {
  const edits: Record<string, ObjectMeta> = {
    'no marker': { labels: {} },
    'another vcluster’s marker': { labels: { 'vcluster.loft.sh/managed-by': 'other' } },
    'another name': { name: 'greeting' },
    'another namespace': { namespace: 'kube-system' },
    'no annotations': { annotations: {} },
  }
  for (const name of ['name', 'namespace', 'kind', 'host-name', 'host-namespace']) {
    edits[`another object-${name}`] = {
      annotations: { ...annotations, [`vcluster.loft.sh/object-${name}`]: 'else' },
    }
  }
  for (const [what, edit] of Object.entries(edits)) {
    t.equal(provenSource(withMeta({ ...ours.metadata, ...edit }), ownership), undefined, what)
  }
  const moved = withMeta({ ...oldCopy.metadata, namespace: 'kube-system' })
  t.equal(provenSource(moved, ownership), undefined, 'an old copy in another namespace')
})

void t.test('an object that another controller looks after is known by label or annotation', async (t) => {
  const key = 'vcluster.loft.sh/controlled-by'
  t.equal(isControlledByOther(withMeta({}), 'me'), false)
  t.equal(isControlledByOther(withMeta({ labels: { [key]: 'me' } }), 'me'), true)
  t.equal(isControlledByOther(withMeta({ annotations: { [key]: 'me' } }), 'me'), false)
  t.equal(isControlledByOther(withMeta({ annotations: { [key]: 'you' } }), 'me'), true)
})
