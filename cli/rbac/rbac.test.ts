import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { namespaces } from '../../sdk/engine/kube/builtin.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Permission } from '../../sdk/vcluster/syncer/permission.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { rbacKind } from '../../test/real/service-account.js'
import { policyRules } from '../roles/policy-rules.js'
import { type RoleObject, roleObjects } from '../roles/role-objects.js'
import { formatted } from '../terminal/output.js'
import { checkAccess } from './check-access.js'

const may = (resource: string, verbs: readonly string[], more: Partial<Permission> = {}): Permission => ({
  side: 'host',
  group: '',
  resource,
  verbs,
  ...more,
})

/** Creates the roles, and gives them to the user `plugin`. */
async function bind(admin: Client, roles: readonly RoleObject[]): Promise<void> {
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'plugin' }]
  for (const role of roles) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name: role.metadata.name }
    await admin.create(rbacKind(role.kind), role)
    const binding = { metadata: role.metadata, roleRef, subjects }
    await admin.create(rbacKind(`${role.kind}Binding`), binding as never)
  }
}

/** The transport of the user `plugin`. */
function asPlugin(inner: Transport): Transport {
  const as = { user: 'plugin', groups: ['system:authenticated'], extra: {} }
  return {
    request: (request) => inner.request({ ...request, as }),
    stream: (request) => inner.stream({ ...request, as }),
    close: () => inner.close(),
  }
}

void t.test('the rules contain each group and set of verbs once', (t) => {
  const permissions = [
    may('configmaps', ['get', 'list']),
    may('secrets', ['get', 'list']),
    may('cars', ['get'], { group: 'example.com' }),
    may('configmaps', ['patch']),
    may('services', ['get', 'list']),
  ]
  t.same(policyRules(permissions), [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'patch'] },
    { apiGroups: [''], resources: ['secrets', 'services'], verbs: ['get', 'list'] },
    { apiGroups: ['example.com'], resources: ['cars'], verbs: ['get'] },
  ])
  t.end()
})

void t.test('permissions in one namespace become a Role, and those in all namespaces a ClusterRole', (t) => {
  const permissions = [
    may('configmaps', ['get']),
    may('secrets', ['get'], { namespace: 'shared' }),
    may('nodes', ['get'], { namespace: '' }),
    may('pods', ['get'], { side: 'virtual' }),
  ]
  const placed = (side: 'host' | 'virtual', namespace?: string) =>
    roleObjects(permissions, { name: 'mine', side, namespace }).map(({ kind, metadata, rules }) => [
      kind,
      metadata.namespace,
      rules.flatMap(({ resources }) => resources),
    ])
  t.same(placed('host', 'team'), [
    ['Role', 'team', ['configmaps']],
    ['Role', 'shared', ['secrets']],
    ['ClusterRole', undefined, ['nodes']],
  ])
  t.same(placed('host', 'shared')[0], ['Role', 'shared', ['configmaps', 'secrets']], 'one Role of a name')
  t.same(placed('host')[0], ['Role', undefined, ['configmaps']])
  t.same(placed('virtual', 'team'), [['ClusterRole', undefined, ['pods']]])
  t.end()
})

void t.test('an administrator has all needed permissions, and excess ones', async (t) => {
  const server = await createApiServer({ name: 'host' })
  t.teardown(() => server.close())
  const report = await checkAccess({
    transport: inProcessTransport(server),
    permissions: [may('configmaps', ['get', 'list'])],
    namespace: 'default',
  })
  t.same(report.missing, [])
  t.ok(report.excess.includes('*.*: *'), report.excess.join())
})

void t.test(
  'credentials with exactly the roles miss nothing, by subresource, name and namespace',
  async (t) => {
    const server = await createApiServer({ name: 'host', authorization: 'rbac' })
    t.teardown(() => server.close())
    const inner = inProcessTransport(server)
    const admin = createClient({ transport: inner })
    const permissions = [
      may('deployments/scale', ['get'], { group: 'apps' }),
      { ...may('secrets', ['get']), names: ['ca'] },
      may('configmaps', ['list'], { namespace: 'shared' }),
      may('nodes', ['watch'], { namespace: '' }),
    ]
    for (const name of ['team', 'shared']) await admin.create(namespaces, { metadata: { name } })
    await bind(admin, roleObjects(permissions, { name: 'mine', side: 'host', namespace: 'team' }))
    const transport = asPlugin(inner)
    const { missing, excess } = await checkAccess({ transport, permissions, namespace: 'team' })
    t.same([missing, excess], [[], []])
    const others = [
      may('deployments', ['get'], { group: 'apps' }),
      { ...may('secrets', ['get']), names: ['ca', 'other'] },
      may('configmaps', ['list'], { namespace: 'team' }),
      may('nodes', ['watch', 'get'], { namespace: '' }),
    ]
    const report = await checkAccess({ transport, permissions: others, namespace: 'team' })
    t.same(
      report.missing.map(({ verb, resource, name = '' }) => `${verb} ${resource} ${name}`.trim()),
      ['get deployments', 'get secrets other', 'list configmaps', 'get nodes'],
    )
  },
)

void t.test('in the virtual cluster a permission without a namespace is for all', async (t) => {
  const server = await createApiServer({ name: 'virtual', authorization: 'rbac' })
  t.teardown(() => server.close())
  const inner = inProcessTransport(server)
  const admin = createClient({ transport: inner })
  const permissions = [may('configmaps', ['list'], { side: 'virtual' })]
  const transport = asPlugin(inner)
  const missing = async () => (await checkAccess({ transport, permissions, namespace: 'default' })).missing
  const options = { name: 'mine', namespace: 'default' }
  await bind(admin, roleObjects([may('configmaps', ['list'])], { ...options, side: 'host' }))
  t.match(await missing(), [{ verb: 'list', resource: 'configmaps' }], 'a Role is not enough')
  await bind(admin, roleObjects(permissions, { ...options, side: 'virtual' }))
  t.same(await missing(), [])
})

void t.test('data is printed as a table, as JSON, or as YAML with a document for each element', async (t) => {
  const printable = {
    table: [
      ['NAME', 'AGE'],
      ['a-long-name', '1'],
      ['b', ''],
    ],
    data: [{ a: 1 }, { b: 2 }],
  }
  t.equal(await formatted(printable, 'table'), 'NAME          AGE\na-long-name   1\nb\n')
  t.equal(await formatted(printable, 'yaml'), 'a: 1\n---\nb: 2\n')
  t.same(JSON.parse(await formatted(printable, 'json')), printable.data)
})
