import t from 'tap'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import { exampleReleaseName, forAllReleases } from './for-all-releases.js'

const example = `${exampleReleaseName}-0`

function permission(path: string, verbs: string, ...names: string[]): ControllerPermission {
  const [plural = '', subresource] = path.split('/')
  const resource = { group: '', version: 'v1', kind: plural, plural, namespaced: true }
  return {
    resource,
    verbs: verbs.split(','),
    ...(subresource && { subresource }),
    ...(names.length > 0 && { names }),
  }
}

const line = ({ resource, subresource, verbs, names = ['all'] }: ControllerPermission) =>
  `${verbs.join()} ${[resource.plural, subresource].filter(Boolean).join('/')} ${names.join()}`

void t.test('names of the example release become all names, and others stay', async (t) => {
  const permissions = [
    permission('pods', 'get', 'fixed', example),
    permission('secrets', 'get', 'fixed'),
    permission('leases', '*', example),
    permission('nodes', 'get'),
  ]
  t.strictSame(forAllReleases(permissions).map(line), [
    'get pods all',
    'get secrets fixed',
    '* leases all',
    'get nodes all',
  ])
})

void t.test('verbs that give rights of others are left out, and other verbs stay', async (t) => {
  const permissions = [
    permission('roles', 'bind,update', example),
    permission('clusterroles', 'escalate', example),
    permission('serviceaccounts', 'get,impersonate', example),
    permission('serviceaccounts/token', 'create', example),
    permission('users', '*', example),
    permission('roles', 'bind', 'fixed'),
  ]
  t.strictSame(forAllReleases(permissions).map(line), [
    'update roles all',
    'get serviceaccounts all',
    'bind roles fixed',
  ])
})
