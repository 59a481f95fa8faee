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

void t.test('URLs have neither a namespace nor names, so that they are in a ClusterRole', async (t) => {
  const url = { group: '', version: '', kind: '/metrics', plural: '/metrics', namespaced: true }
  const places = [
    { namespace: 'web', names: ['one'] },
    { inOwnNamespace: true } as const,
    { cluster: 'other' },
  ]
  const definition = controller(backups, {
    cluster: 'main',
    permissions: places.map((place) => ({ resource: url, verbs: ['get'], ...place })),
    reconcile: () => {},
  })
  const rule = { cluster: 'main', group: '', resource: '/metrics', verbs: ['get'], isClusterScoped: true }
  t.same(registrable(definition).accessRules.slice(-3), [rule, rule, { ...rule, cluster: 'other' }])
})
