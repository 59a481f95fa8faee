import t from 'tap'
import { objectsOf } from '../render/manifest.js'
import type { RenderedChart } from '../render/renderer.js'
import { chartPermissions } from './chart-permissions.js'

/** A rendered chart with these objects. */
async function rendered(
  manifest: string,
  more: { hook?: string; crds?: string } = {},
): Promise<RenderedChart> {
  const hooks = more.hook
    ? [{ name: 'h', kind: 'Job', path: 'a', manifest: more.hook, events: ['test'] }]
    : []
  return {
    manifest,
    objects: await objectsOf(manifest),
    hooks,
    crds: await objectsOf(more.crds ?? ''),
    notes: '',
    chart: { metadata: {}, lock: null, templates: [], values: {}, schema: null, files: [] },
  }
}

/** The permissions as `verbs group/resource names`, with a star for those of the whole cluster. */
async function told(...args: Parameters<typeof rendered>): Promise<string[]> {
  return (await chartPermissions(await rendered(...args))).map(
    ({ resource, subresource, verbs, names = [] }) =>
      [
        verbs.join(),
        `${resource.group}/${resource.plural}${subresource ? `/${subresource}` : ''}${resource.namespaced ? '' : '*'}`,
        ...names,
      ].join(' '),
  )
}

const object = (apiVersion: string, kind: string, more = '') =>
  `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n${more}\n`
const all = 'create,delete,get,list,patch,watch'

void t.test('each kind of object gets one permission, hooks as well', async (t) => {
  const manifest = [
    ...[object('v1', 'Service'), object('v1', 'Service'), object('networking.k8s.io/v1', 'Ingress')],
    ...[object('networking.k8s.io/v1', 'NetworkPolicy'), object('v1', 'Endpoints')],
    ...[object('storage.k8s.io/v1', 'StorageClass'), object('example.com/v1', 'Namespace')],
  ]
  t.strictSame(await told(manifest.join(''), { hook: object('batch/v1', 'Job') }), [
    `${all} /services`,
    `${all} networking.k8s.io/ingresses`,
    `${all} networking.k8s.io/networkpolicies`,
    `${all} /endpoints`,
    `${all} storage.k8s.io/storageclasses*`,
    `${all} example.com/namespaces`,
    `${all} batch/jobs`,
  ])
})

void t.test(
  'definitions in crds/ are created, changed and watched by name, and say the plural of their kind',
  async (t) => {
    const crds = object(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      'spec: {group: example.com, scope: Cluster, names: {kind: Goose, plural: geese}}',
    )
    t.strictSame(await told(object('example.com/v1', 'Goose'), { crds }), [
      `${all} example.com/geese*`,
      'create apiextensions.k8s.io/customresourcedefinitions*',
      'get,list,patch,watch apiextensions.k8s.io/customresourcedefinitions* a',
    ])
  },
)

void t.test('what the roles of a chart grant is needed, too, and to bind a role', async (t) => {
  const rbac = 'rbac.authorization.k8s.io/v1'
  const rules = [
    '{apiGroups: ["", apps], resources: [pods/log, deployments], verbs: [get]}',
    '{apiGroups: [""], resources: [secrets], verbs: [get], resourceNames: [one]}',
    '{nonResourceURLs: [/metrics], verbs: [get]}',
  ]
  const urls = 'rules: [{nonResourceURLs: [/metrics, "*", odd], verbs: [get]}]'
  const manifest = [
    object(rbac, 'Role', `rules: [${rules.join(', ')}]`),
    object(rbac, 'RoleBinding', 'roleRef: {kind: ClusterRole, name: view}'),
    object(rbac, 'ClusterRole', urls),
  ]
  t.strictSame(await told(manifest.join('')), [
    `${all} rbac.authorization.k8s.io/roles`,
    `${all} rbac.authorization.k8s.io/rolebindings`,
    `${all} rbac.authorization.k8s.io/clusterroles*`,
    'get /pods/log',
    'get /deployments',
    'get apps/pods/log',
    'get apps/deployments',
    'get /secrets one',
    'bind rbac.authorization.k8s.io/clusterroles* view',
    'get //metrics*',
    'get //**',
  ])
})
