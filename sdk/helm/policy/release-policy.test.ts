// Tests which objects of a release a policy refuses.
import t from 'tap'
import { configMaps, deployments, namespaces } from '../../engine/kube/builtin.js'
import type { Resource } from '../../engine/kube/resource.js'
import { hostName } from '../../vcluster/naming/names.js'
import { allowsLookup, type PlacedObject, type ReleasePolicy, refusedObjects } from './release-policy.js'

const object = (more: object = {}, placed: Partial<PlacedObject> = {}): PlacedObject => ({
  object: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, ...more },
  namespaced: true,
  namespace: 'team',
  ...placed,
})
const refused = (policy: ReleasePolicy, ...objects: PlacedObject[]) =>
  refusedObjects(policy, objects, { namespace: 'team' })

const volume = { spec: { template: { spec: { volumes: [{ name: 'a', hostPath: { path: '/' } }] } } } }
const role = object(
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
  { namespaced: false, namespace: '' },
)

void t.test('without members, a policy allows objects in the namespace of the release', async (t) => {
  t.strictSame(refused({}, object(), object({}, { namespaced: undefined })), [])
  t.strictSame(refused({}, object({}, { namespaced: undefined, namespace: 'other' })), [
    'Deployment other/web is in another namespace',
  ])
  t.strictSame(refused({}, object({}, { namespace: 'kube-system' }), role, object(volume)), [
    'Deployment kube-system/web is in another namespace',
    'ClusterRole web has no namespace',
    'Deployment team/web mounts a folder of its node',
  ])
})

void t.test('each member allows more', async (t) => {
  t.strictSame(refused({ namespaces: ['other'] }, object({}, { namespace: 'other' })), [])
  t.strictSame(refused({ clusterScoped: true }, role), [])
  t.strictSame(refused({ hostPaths: true }, object(volume)), [])
})

void t.test('kinds are named with their group', async (t) => {
  const configMap = object({ apiVersion: 'v1', kind: 'ConfigMap' })
  t.strictSame(refused({ kinds: ['Deployment.apps', 'ConfigMap'] }, object(), configMap), [])
  t.strictSame(refused({ kinds: ['Deployment'] }, object()), [
    'Deployment team/web is of the kind Deployment.apps',
  ])
  const imitation = object({ apiVersion: 'example.com/v1', kind: 'ConfigMap' })
  t.strictSame(refused({ kinds: ['ConfigMap'] }, imitation), [
    'ConfigMap team/web is of the kind ConfigMap.example.com',
  ])
})

void t.test('Secrets of the control plane are always refused', async (t) => {
  const secret = (type?: string) => object({ apiVersion: 'v1', kind: 'Secret', type })
  t.strictSame(refused({}, secret(), secret('Opaque'), secret('kubernetes.io/tls')), [])
  for (const type of [
    'helm.sh/release.v1',
    'kubernetes.io/service-account-token',
    'bootstrap.kubernetes.io/token',
  ])
    t.strictSame(refused({ clusterScoped: true }, secret(type)), [
      'Secret team/web is a Secret of the control plane',
    ])
})

void t.test('labels and annotations of vcluster are always refused', async (t) => {
  const mark = { 'vcluster.loft.sh/managed-by': 'vc' }
  for (const metadata of [{ labels: mark }, { annotations: mark }])
    t.strictSame(refused({}, object({ metadata: { name: 'web', ...metadata } })), [
      'Deployment team/web has a label or an annotation of vcluster',
    ])
})

void t.test('a lookup sees what a release may contain', async (t) => {
  const sees = (policy: ReleasePolicy, resource: Resource, namespace = 'team') =>
    allowsLookup(policy, { query: { namespace }, resource, releaseNamespace: 'team' })
  t.strictSame(
    [sees({}, configMaps), sees({}, configMaps, 'other'), sees({}, namespaces, '')],
    [true, false, false],
  )
  t.ok(sees({ namespaces: ['other'] }, configMaps, 'other'))
  t.ok(sees({ clusterScoped: true }, namespaces, ''))
  t.strictSame(
    [deployments, configMaps].map((one) => sees({ kinds: ['Deployment.apps'] }, one)),
    [true, false],
  )
})

void t.test('on the host of a vcluster, names as vcluster gives to its copies are refused', async (t) => {
  const named = (name: string) => object({ metadata: { name } })
  const onHost = (name: string) => refusedObjects({}, [named(name)], { namespace: 'team', vcluster: 'vc' })
  const hashed = hostName('a'.repeat(60), 'default', 'vc')
  for (const name of [hostName('web', 'default', 'vc'), hashed])
    t.strictSame(onHost(name), [`Deployment team/${name} has a name as vcluster gives to its copies`])
  for (const name of ['web', 'web-x-default-x-vc-helm', 'web-x-default-x-vc-helm-db', 'x-vc'])
    t.strictSame(onHost(name), [], name)
  t.strictSame(refused({}, named('web-x-default-x-vc')), [], 'elsewhere it is a name like others')
})

void t.test('a definition may have a field named hostPath', async (t) => {
  const schema = { properties: { hostPath: { type: 'string' } } }
  const definition = object(
    { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', spec: { schema } },
    { namespaced: false, namespace: '' },
  )
  t.strictSame(refused({ clusterScoped: true }, definition), [])
})
