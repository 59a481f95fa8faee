import { fileURLToPath } from 'node:url'
import t from 'tap'
import { deployments, namespaces, nodes, pods } from '../../sdk/engine/kube/builtin.js'
import { type Backup, backups } from '../../sdk/operator/backups.fixture.js'
import type { ControllerPermission } from '../../sdk/operator/controller/controller-permission.js'
import type { ControllerOptions } from '../../sdk/operator/controller/definition.js'
import { owned } from '../../sdk/operator/controller/owned.js'
import { watch } from '../../sdk/operator/controller/watch.js'
import { describeOperator } from '../../sdk/operator/describe/describe-operator.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import type { OperatorOptions } from '../../sdk/operator/operator-options.js'
import { caches } from '../../sdk/operator/webhook/caches.fixture.js'
import { describeAnyProgram } from '../program/describe-program.js'
import { findPlugin } from '../program/find-plugin.js'
import { operatorRbac } from './operator-rbac.js'
import { userRoles } from './user-roles.js'

const describe = (
  options: Partial<OperatorOptions>,
  of: Omit<Partial<ControllerOptions<Backup>>, 'reconcile'> = {},
) =>
  describeOperator({ name: 'mine', env: {}, ...options }, [
    controller(backups, { ...of, reconcile: () => {} }) as never,
  ])

/** The rules of the operator's own roles: `kind namespace`, then `verbs resource`. */
const granted = (...args: Parameters<typeof operatorRbac>) =>
  operatorRbac(...args)
    .roles.filter(({ metadata }) => metadata.name === 'mine')
    .map(({ kind, metadata, rules }) => ({
      [`${kind} ${metadata.namespace ?? ''}`]: rules.map(
        ({ verbs, resources, resourceNames = [] }) =>
          `${verbs.join()} ${[...(resources ?? []), ...resourceNames].join(' ')}`,
      ),
    }))

const lease = { 'Role mine-system': ['create leases', 'get,update leases mine'] }

void t.test('an operator of one namespace gets Roles; kinds without a namespace need a ClusterRole', (t) => {
  const description = describe(
    { namespace: 'team' },
    {
      owns: [deployments],
      watches: [
        watch(pods, { namespaces: ['shared'], keys: () => [] }),
        watch(namespaces, { keys: () => [] }),
      ],
    },
  )
  t.same(granted(description), [
    {
      'Role team': [
        'get,list,patch,watch backups',
        'patch backups/status',
        'update backups/finalizers',
        'create,delete,get,list,patch,watch deployments',
        'create,patch events',
      ],
    },
    { 'Role shared': ['list,watch pods'] },
    { 'ClusterRole ': ['list,watch namespaces', 'get namespaces shared'] },
    lease,
  ])
  t.end()
})

void t.test('a controller of several namespaces gets a Role in each', (t) => {
  const description = describe(
    {},
    {
      namespaces: ['one', 'two'],
      owns: [deployments],
      watches: [watch(pods, { namespaces: ['one'], metadataOnly: true, keys: () => [] })],
    },
  )
  const rules = [
    'get,list,patch,watch backups',
    'patch backups/status',
    'update backups/finalizers',
    'create,delete,get,list,patch,watch deployments',
  ]
  t.same(granted(description), [
    { 'Role one': [...rules, 'list,watch pods', 'create,patch events'] },
    { 'Role two': [...rules, 'create,patch events'] },
    {
      'ClusterRole ': ['get namespaces one two', 'get,list,patch,watch backups', 'patch backups/status'],
    },
    lease,
  ])
  t.end()
})

void t.test('objects with a finalizer can go after the Role of their namespace', (t) => {
  const finalized = { finalize: () => {} }
  const everywhere = {
    'ClusterRole ': ['get namespaces team', 'get,list,patch,watch backups', 'patch backups/status'],
  }
  const clusterRole = (...args: Parameters<typeof describe>) =>
    granted(describe(...args)).find((role) => 'ClusterRole ' in role)
  t.same(clusterRole({ namespace: 'team' }, finalized), everywhere)
  t.same(clusterRole({}, { ...finalized, namespaces: ['team'] }), everywhere)
  t.same(clusterRole({}, { namespaces: ['team'], owns: [deployments] }), {
    'ClusterRole ': ['get namespaces team'],
  })
  t.notOk(clusterRole({ namespace: 'mine-system' }, finalized), 'its account goes with its own namespace')
  t.end()
})

void t.test(
  'permissions for its own namespace are in the Role of the Lease, also for a controller of another cluster',
  (t) => {
    const own = { resource: pods, verbs: ['delete'], inOwnNamespace: true }
    const read = { resource: pods, verbs: ['get'] }
    const description = describe(
      { clusters: { virtual: {}, host: {} } },
      { cluster: 'host', permissions: [own, read] },
    )
    t.same(granted(description), [{ 'Role mine-system': ['delete pods', ...lease['Role mine-system']] }])
    t.match(granted(description, { cluster: 'host' }).at(-1)?.['ClusterRole ']?.at(-1), 'get pods')
    t.end()
  },
)

void t.test('permissions of one kind add up, and those of named objects stay apart', (t) => {
  const of = (name: string, permissions: readonly ControllerPermission[]) =>
    controller(backups, {
      name,
      shared: true,
      conditions: [],
      permissions,
      reconcile: () => {},
    }) as never
  const description = describeOperator({ name: 'mine', env: {}, leaderElection: false }, [
    of('left', [{ resource: pods, verbs: ['get'] }]),
    of('right', [
      { resource: pods, verbs: ['delete'] },
      { resource: deployments, verbs: ['update'], names: ['one'] },
      { resource: deployments, subresource: 'scale', verbs: ['update'] },
      { resource: deployments, verbs: ['create'] },
    ]),
  ])
  t.same(granted(description)[0]?.['ClusterRole ']?.slice(-4), [
    'delete,get pods',
    'update deployments one',
    'update deployments/scale',
    'create deployments',
  ])
  const neededBy = operatorRbac(description).permissions.find(({ resource }) => resource === 'pods')?.neededBy
  t.same(neededBy, ['left', 'right'])
  t.end()
})

void t.test('non-resource URLs are a rule of their own', (t) => {
  const url = (plural: string) => ({ group: '', version: '', kind: plural, plural, namespaced: false })
  const permissions = [pods, url('/metrics'), nodes, url('/*')].map((resource) => ({
    resource,
    verbs: ['get'],
  }))
  const [{ rules = [] } = {}] = operatorRbac(describe({}, { permissions })).roles
  t.same(
    rules.filter(({ nonResourceURLs }) => nonResourceURLs),
    [{ nonResourceURLs: ['/metrics', '*'], verbs: ['get'] }],
  )
  t.ok(rules.some(({ resources }) => resources?.join() === 'pods,nodes'))
  t.end()
})

void t.test('each cluster has its own roles, and the first one the Lease', (t) => {
  const description = describe(
    { clusters: { virtual: {}, host: {} } },
    { cluster: 'virtual', owns: [owned(deployments, { cluster: 'host' })] },
  )
  t.same(granted(description, { cluster: 'host' }), [
    { 'ClusterRole ': ['create,delete,get,list,patch,watch deployments'] },
  ])
  t.same(granted(description).at(-1), lease)
  t.same(
    operatorRbac(description, { cluster: 'host' }).roles.map(({ metadata }) => metadata.name),
    ['mine'],
  )
  t.throws(() => operatorRbac(description, { cluster: 'other' }), /no cluster other; it has virtual, host/)
  t.end()
})

void t.test(
  'an operator with its own certificate may write its Secret and what it publishes, by name',
  (t) => {
    const description = describe({
      leaderElection: false,
      webhooks: { kinds: [caches], certificate: 'selfSigned', reads: [pods] },
    })
    const rules = granted(description)
    t.same(rules.at(-1), {
      'Role mine-system': ['create secrets', 'get,list,patch,watch secrets mine-webhook-certificate'],
    })
    t.same(rules[0]?.['ClusterRole ']?.slice(-5), [
      'create,patch events',
      'list,watch pods',
      'create mutatingwebhookconfigurations validatingwebhookconfigurations',
      'get,patch mutatingwebhookconfigurations validatingwebhookconfigurations mine',
      'get,patch customresourcedefinitions caches.cache.my.domain',
    ])
    t.end()
  },
)

void t.test('users of a kind get its permissions by the roles view, edit and admin', (t) => {
  const { roles } = operatorRbac(describe({}))
  t.same(
    roles
      .filter(({ metadata }) => metadata.labels)
      .map(({ metadata, rules }) => [
        metadata.name,
        Object.keys(metadata.labels ?? {}),
        rules.map(({ verbs, resources }) => `${verbs.join()} ${resources?.join()}`),
      ]),
    [
      [
        'mine-backups-view',
        ['rbac.authorization.k8s.io/aggregate-to-view'],
        ['get,list,watch backups', 'get backups/status'],
      ],
      [
        'mine-backups-edit',
        ['rbac.authorization.k8s.io/aggregate-to-edit'],
        ['create,delete,deletecollection,patch,update backups'],
      ],
      [
        'mine-backups-admin',
        ['rbac.authorization.k8s.io/aggregate-to-admin'],
        ['patch,update backups/status'],
      ],
    ],
  )
  t.end()
})

void t.test('users of a kind with a scale may read it, and editors change it', (t) => {
  const resource = { group: 'my.domain', version: 'v1', kind: 'Shop', plural: 'shops', namespaced: true }
  const kind = { cluster: 'main', resource, hasScale: true, definition: {} as never }
  const rules = userRoles('mine', [kind]).map((role) =>
    role.rules.map(({ verbs, resources }) => `${verbs.join()} ${resources?.join()}`),
  )
  t.same(rules.slice(0, 2), [
    ['get,list,watch shops', 'get shops/status,shops/scale'],
    ['create,delete,deletecollection,patch,update shops', 'patch,update shops/scale'],
  ])
  t.end()
})

void t.test('of kinds with one plural in two groups each has roles for its users', (t) => {
  const kindOf = (group: string, plural: string) => ({
    cluster: 'main',
    resource: { group, version: 'v1', kind: 'Any', plural, namespaced: true },
    hasScale: false,
    definition: {} as never,
  })
  const kinds = [kindOf('a.domain', 'shops'), kindOf('b.domain', 'shops'), kindOf('b.domain', 'carts')]
  t.same(
    userRoles('mine', kinds)
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.endsWith('-view')),
    ['mine-shops.a.domain-view', 'mine-shops.b.domain-view', 'mine-carts-view'],
  )
  t.end()
})

void t.test('an operator describes itself without a cluster', async (t) => {
  const folder = fileURLToPath(new URL('../../examples/memcached', import.meta.url))
  const description = await describeAnyProgram(await findPlugin(folder), { namespace: 'apps' })
  t.match(description, {
    kind: 'OperatorDescription',
    name: 'memcached-operator',
    ownNamespace: 'apps',
    clusters: ['main'],
  })
})
