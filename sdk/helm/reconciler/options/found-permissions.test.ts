// Tests the permissions that are derived from a rendering when a program is described.
import t from 'tap'
import { testOperator } from '../../../../testing/index.js'
import { silentLogger } from '../../../engine/observe/logger.js'
import { createInternalOperator } from '../../../operator/operator-runtime.js'
import { functionChart } from '../../chart/function-chart.js'
import { defaultRenderer } from '../../render/default-renderer.js'
import { RenderError } from '../../render/render-error.js'
import type { ChartRenderer } from '../../render/renderer.js'
import { chart, definition, greetings, kind } from '../greetings.fixture.js'
import { helmController } from '../helm-controller.js'
import type { HelmControllerOptions } from './options.js'

/** The kinds for whose objects a program with this reconciler gets `delete`. */
async function deletable(options: Partial<HelmControllerOptions> = {}): Promise<string[]> {
  const operator = createInternalOperator({ name: 'mine', env: {} })
  operator.register(helmController({ resource: kind, chart, ...options }))
  const { controllers } = await operator.describe()
  const rules = controllers.flatMap((one) => one.rules.filter(({ verbs }) => verbs.includes('delete')))
  return rules.map(({ group, resource }) => `${group}/${resource}`)
}

const needy = functionChart({ name: 'needy', version: '1.0.0' }, ({ host, alone }) => {
  if (typeof host !== 'string') throw new RenderError('RenderError', 'host is required')
  return [
    { apiVersion: 'v1', kind: 'Service', metadata: { name: host } },
    ...(alone ? [] : [{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: host } }]),
  ]
})

void t.test('they are those for the objects of the chart with its default values', async (t) => {
  t.strictSame(await deletable(), ['/secrets', '/configmaps'])
})

void t.test(
  'they are those of permissionValues with the overrides, and those that are declared',
  async (t) => {
    const service = {
      resource: { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
      verbs: ['delete'],
    }
    const permissionValues = { host: 'a' }
    t.strictSame(await deletable({ chart: needy, permissionValues, permissions: [service] }), [
      ...['/secrets', 'apps/deployments', '/services', 'networking.k8s.io/ingresses'],
    ])
    const overrides = [{ key: 'alone', path: ['alone'], value: true }]
    t.strictSame(await deletable({ chart: needy, permissionValues, overrides }), ['/secrets', '/services'])
  },
)

void t.test('with crds: skip, none are for the files in crds/, which are not read', async (t) => {
  const inner = await defaultRenderer([chart])
  const asked: (boolean | undefined)[] = []
  const renderer: ChartRenderer = {
    name: 'test',
    close: async () => {},
    render: (request, signal) => {
      asked.push(request.skipCrds)
      return inner.render(request, signal)
    },
  }
  await deletable({ renderer, crds: 'skip' })
  await deletable({ renderer })
  t.strictSame(asked, [true, false])
})

void t.test('permissionValues: false derives none', async (t) => {
  t.strictSame(await deletable({ chart: needy, permissionValues: false }), ['/secrets'])
})

void t.test('a template that cannot be parsed is an error of the chart, not of its values', async (t) => {
  const broken = functionChart({ name: 'broken', version: '1.0.0' }, () => {
    throw new RenderError(
      'RenderError',
      'parse error at (x/templates/x.yaml:1): function "nofunc" not defined',
    )
  })
  await t.rejects(deletable({ chart: broken }), {
    code: 'INVALID_CHART',
    message:
      /^the chart of Greeting cannot be rendered: .*: function "nofunc" not defined; correct the template$/,
  })
})

void t.test('a chart that does not accept the values is an error that says what to set', async (t) => {
  const message =
    /of Greeting cannot be derived, .* does not accept its own default values: .*host is required.*\. Correct the template or values\.yaml of the chart, or set permissionValues/
  await t.rejects(deletable({ chart: needy }), { code: 'INVALID_REGISTRATION', message })
  await t.rejects(
    deletable({ chart: needy, permissionValues: { host: 1 } }),
    /does not accept permissionValues/,
  )
})

void t.test(
  'a helm program needs a folder for temporary files, whether permissions are derived or not',
  async (t) => {
    const writes = async (options: Partial<HelmControllerOptions>) => {
      const operator = createInternalOperator({ name: 'mine', env: {} })
      operator.register(helmController({ resource: kind, chart, ...options }))
      return (await operator.describe()).writesTemporaryFiles
    }
    const program: ChartRenderer = { ...(await defaultRenderer([chart])), writesTemporaryFiles: true }
    t.equal(await writes({}), undefined)
    t.equal(await writes({ renderer: program }), true)
    t.equal(await writes({ renderer: program, permissionValues: false }), true)
  },
)

void t.test('on the host, those for kinds without a namespace are listed once', async (t) => {
  const wide = functionChart({ name: 'wide', version: '1.0.0' }, (_, { name }) => [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules: [] },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  ])
  const reconciler = helmController({
    resource: kind,
    chart: wide,
    cluster: 'virtual',
    targets: ['host'],
    target: () => ({}),
    allow: { namespaces: ['blue', 'green'], clusterScoped: true },
  })
  const operator = createInternalOperator({ name: 'mine', env: {}, clusters: { virtual: {}, host: {} } })
  operator.register(reconciler)
  const { controllers } = await operator.describe()
  const told = (kind: string) =>
    controllers
      .flatMap(({ rules }) => rules)
      .filter(({ cluster, resource }) => cluster === 'host' && resource === kind)
      .map(({ namespace }) => namespace)
  t.strictSame(told('configmaps'), [undefined, 'blue', 'green'])
  t.strictSame(told('clusterroles'), [undefined])
})

const rbac = 'rbac.authorization.k8s.io/v1'
const rbacGroup = 'rbac.authorization.k8s.io'
const named = functionChart({ name: 'named', version: '1.0.0' }, (_, { name, namespace }) => {
  const metadata = { name }
  const rule = (resource: string, ...resourceNames: string[]) => ({
    apiGroups: [''],
    resources: [resource],
    verbs: ['get'],
    resourceNames,
  })
  const rules = [rule('pods', 'fixed', `${name}-0`), rule('nodes', `of-${namespace}`), rule('secrets', 'one')]
  return [
    { apiVersion: rbac, kind: 'Role', metadata, rules },
    { apiVersion: rbac, kind: 'RoleBinding', metadata, roleRef: { kind: 'Role', name } },
    { apiVersion: rbac, kind: 'RoleBinding', metadata, roleRef: { kind: 'Role', name: 'other' } },
    { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: `${name}-system` } },
  ]
})

/** The permissions of a program with that chart besides those for the objects of releases. */
async function besidesObjects(options: Partial<HelmControllerOptions> = {}): Promise<string[]> {
  const operator = createInternalOperator({ name: 'mine', env: {} })
  operator.register(helmController({ resource: kind, chart: named, ...options }))
  const rules = (await operator.describe()).controllers.flatMap((one) => one.rules)
  const wanted = ['pods', 'nodes', 'secrets', 'namespaces', 'roles']
  return rules
    .filter(({ resource, verbs }) => wanted.includes(resource) && !verbs.includes('delete'))
    .map(({ resource, verbs, names = ['all'] }) => `${verbs.join()} ${resource} ${names.join()}`)
}

void t.test('they hold for a release of any name in any namespace', async (t) => {
  t.strictSame(await besidesObjects(), [
    ...['get pods all', 'get nodes all', 'get secrets one', 'bind roles other', 'list,watch namespaces all'],
  ])
  t.ok((await besidesObjects({ targetNamespace: 'system' })).includes('get nodes of-system'))
})

void t.test('they suffice to install roles for URLs and for names of the release', async (t) => {
  const metadata = { name: 'urls' }
  const rules = [{ nonResourceURLs: ['/metrics', '/healthz/*'], verbs: ['get'] }]
  const granting = functionChart({ name: 'granting', version: '1.0.0' }, (_, { name }) => {
    const own = { apiGroups: [''], resources: ['secrets'], resourceNames: [name], verbs: ['get'] }
    return [
      { apiVersion: rbac, kind: 'ClusterRole', metadata, rules },
      { apiVersion: rbac, kind: 'Role', metadata: { name }, rules: [own] },
      {
        apiVersion: rbac,
        kind: 'RoleBinding',
        metadata: { name },
        roleRef: { apiGroup: rbacGroup, kind: 'Role', name },
      },
    ]
  })
  const test = await testOperator(
    (operator) => operator.register(helmController({ resource: kind, chart: granting })),
    { definitions: [definition], permissions: 'declared', logger: silentLogger },
  )
  t.teardown(() => test.stop())
  const key = { namespace: 'default', name: 'mine' }
  await test.client.create(greetings, { metadata: key, spec: {} })
  await test.settled()
  const { status } = await test.client.get(greetings, key)
  t.equal(status?.deployedRelease?.revision, 1, JSON.stringify(status?.conditions))
})
