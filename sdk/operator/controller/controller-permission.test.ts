import t from 'tap'
import { deployments, nodes } from '../../engine/kube/builtin.js'
import { backups } from '../backups.fixture.js'
import { controller, registrable } from '../engine/controller.js'

void t.test('the permissions of a controller follow those of its kinds', async (t) => {
  const definition = controller(backups, {
    cluster: 'main',
    permissions: [
      { resource: deployments, verbs: ['patch'], namespace: 'web' },
      { resource: deployments, verbs: ['update'], subresource: 'scale', cluster: 'other' },
      { resource: nodes, verbs: ['get'], names: ['one'] },
    ],
    reconcile: () => {},
  })
  t.same(registrable(definition).accessRules.slice(-3), [
    { cluster: 'main', group: 'apps', resource: 'deployments', verbs: ['patch'], namespace: 'web' },
    { cluster: 'other', group: 'apps', resource: 'deployments/scale', verbs: ['update'] },
    { cluster: 'main', group: '', resource: 'nodes', verbs: ['get'], names: ['one'], isClusterScoped: true },
  ])
})
