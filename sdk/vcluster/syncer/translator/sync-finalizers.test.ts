import t from 'tap'
import { type PersistentVolumeClaim, persistentVolumeClaims } from '../../../engine/kube/builtin.js'
import type { SyncContext } from '../../context/sync-context.js'
import { hostFinalizersAnnotation } from '../../naming/ownership-keys.js'
import { removeHostFinalizers } from './sync-finalizers.js'

void t.test('as many finalizers as fit in an object are compared at once', async (t) => {
  const own = Array.from({ length: 150_000 }, (_, index) => `o/${index}`)
  const fromHost = [...Array.from({ length: 130_000 }, () => 'h'), 'h/7']
  const virtual: PersistentVolumeClaim = {
    metadata: {
      namespace: 'default',
      name: 'data',
      finalizers: [...own, 'h/7'],
      annotations: { [hostFinalizersAnnotation]: fromHost.join('\n') },
    },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  const patches: unknown[] = []
  const client = {
    patch: async (_resource: unknown, _key: unknown, patch: unknown) => void patches.push(patch),
  }
  const ctx = { virtual: { client } } as unknown as SyncContext
  await removeHostFinalizers({ resource: persistentVolumeClaims }, ctx, virtual)
  t.match(patches, [
    { body: { metadata: { finalizers: own, annotations: { [hostFinalizersAnnotation]: null } } } },
  ])
})
