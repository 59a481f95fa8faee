import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import type { Permission } from '../../sdk/syncer/permission.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { policyRules } from '../roles/policy-rules.js'
import { roleObjects } from '../roles/role-objects.js'
import { formatted } from '../terminal/output.js'
import { checkAccess } from './check-access.js'

const may = (resource: string, verbs: readonly string[], more: Partial<Permission> = {}): Permission => ({
  side: 'host',
  group: '',
  resource,
  verbs,
  ...more,
})

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
