import { execFile } from 'node:child_process'
import t from 'tap'
import { parse } from 'yaml'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { type ConfigMap, type Deployment, deployments, namespaces } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { PluginDescription, ResourceDescription } from '../../sdk/vcluster/plugin/description.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { helmValues } from '../helm/helm-values.js'
import type { RoleObject } from '../roles/role-objects.js'
import { applySamples } from '../samples/samples.js'
import { standaloneObjects } from './standalone-objects.js'

const kind = (plural: string, more: Partial<ResourceDescription> = {}): ResourceDescription => ({
  group: '',
  version: 'v1',
  kind: plural,
  plural,
  namespaced: true,
  ...more,
})

const described = (...resources: ResourceDescription[]): PluginDescription => ({
  kind: 'PluginDescription',
  name: 'mine',
  syncers: resources.map((resource) => ({ name: resource.plural, resource })),
  hostReads: [],
  virtualReads: [],
})

void t.test(
  'the rules include what the plugin needs on the host and the permissions that it asks for',
  async (t) => {
    const asked = { side: 'host', group: '', neededBy: 'mine' } as const
    const description = {
      ...described(kind('pods')),
      permissions: [
        { ...asked, resource: 'pods/log', verbs: ['get'] },
        { ...asked, resource: 'secrets', verbs: ['get'], namespace: 'shared' },
        { ...asked, side: 'virtual', resource: 'nodes', verbs: ['get'] } as const,
      ],
    }
    const values = parse(helmValues(description, { chart: 'since 0.20', mode: 'sidecar', image: 'x' }))
    const writing = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']
    t.same(values.plugin.mine.rbac, {
      role: {
        extraRules: [
          { apiGroups: [''], resources: ['pods'], verbs: writing },
          { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
          { apiGroups: [''], resources: ['services'], verbs: ['get', 'list', 'watch'] },
        ],
      },
      clusterRole: { extraRules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] },
    })
  },
)

void t.test('no values make vcluster wait forever, or not wait at all', async (t) => {
  const description = described(kind('configmaps'))
  for (const chart of ['since 0.20', 'before 0.20'] as const) {
    const { plugin } = parse(helmValues(description, { chart, mode: 'sidecar', image: 'x' }))
    t.notOk('version' in plugin.mine || 'optional' in plugin.mine, chart)
  }
  const old = parse(helmValues(description, { chart: 'before 0.20', mode: 'in-syncer', image: 'x' }))
  t.match(old.plugin.mine, { version: 'v2' })
  t.notOk('optional' in old.plugin.mine)
  const inSyncer = helmValues(description, { chart: 'since 0.20', mode: 'in-syncer', image: 'x' })
  t.match(
    inSyncer,
    /^ *# *docker build -t x --target in-syncer \.$/m,
    'the image of a sidecar has no program',
  )
  const since020 = parse(inSyncer)
  t.same(Object.keys(since020), ['plugins', 'sync'])
  t.notOk('version' in since020.plugins.mine)
})

void t.test(
  "vcluster's own syncers are disabled for kinds that the plugin copies, and only for those",
  async (t) => {
    const options = { mode: 'sidecar', image: 'x' } as const
    const description = described(
      kind('configmaps'),
      kind('persistentvolumeclaims'),
      kind('cars', { group: 'x.y' }),
    )
    t.same(parse(helmValues(description, { ...options, chart: 'since 0.20' })).sync, {
      toHost: { configMaps: { enabled: false }, persistentVolumeClaims: { enabled: false } },
    })
    t.same(parse(helmValues(description, { ...options, chart: 'before 0.20' })).syncer, {
      extraArgs: ['--sync=-configmaps,-persistentvolumeclaims'],
    })
    const alone = parse(
      helmValues(described(kind('cars', { group: 'x.y' })), { ...options, chart: 'since 0.20' }),
    )
    t.same(Object.keys(alone), ['plugin'])
  },
)

void t.test('a plugin that cannot describe itself is an error with the reason', async (t) => {
  const dir = t.testdir({
    throws: { 'main.ts': "throw new Error('no such file: rules.yaml')" },
    silent: { 'main.ts': "console.log('hello')" },
    calls: {
      'main.ts': `import { configMaps, plugin } from 'vcluster-plugin-sdk'
const ctx = await plugin.init()
await ctx.host.client.list(configMaps)`,
    },
  })
  const [throws, silent, calls, none] = await Promise.all([
    manifest(`${dir}/throws`),
    manifest(`${dir}/silent`),
    manifest(`${dir}/calls`),
    manifest(dir),
  ])
  t.match(throws, { code: 1, stderr: /program in .*throws failed .*: .*no such file: rules\.yaml/ })
  t.match(silent, { code: 1, stderr: /program in .*silent exited without calling start\(\)/ })
  t.match(calls, { code: 1, stderr: /no cluster is connected while the plugin describes itself/ })
  t.match(none, { code: 1, stderr: /there is no program in/ })
})

void t.test('a plugin whose name no container may have is refused', async (t) => {
  const plugin = {
    'main.ts': `import { plugin } from 'vcluster-plugin-sdk'
await plugin.init()
await plugin.start()`,
  }
  const named = (name: string) => ({
    'package.json': JSON.stringify({ name, 'vcluster-plugin': { main: '../My Plugin/main.ts' } }),
  })
  const dir = t.testdir({ scoped: named('@my/plugin'), other: named('my_plugin'), 'My Plugin': plugin })
  const flags = ['--mode', 'standalone', '--chart', `${dir}/chart`]
  const [scoped, other, chart, folder] = await Promise.all([
    manifest(`${dir}/scoped`),
    manifest(`${dir}/other`),
    manifest(`${dir}/other`, ...flags),
    manifest(`${dir}/My Plugin`, '--mode', 'standalone'),
  ])
  t.match(scoped, { code: 0, stdout: /^ {2}plugin:$/m })
  const refused =
    /the plugin in \S+\/other, which is "name" in package.json .* must be a DNS label, got "my_plugin": use at most 63/
  for (const answer of [other, chart]) t.match(answer, { code: 1, stdout: '', stderr: refused })
  t.match(folder, { code: 1, stdout: '', stderr: /must be a DNS label, got "My Plugin": use at most 63/ })
})

void t.test('a name is one word of the shell', (t) => {
  const description = { ...described(), name: "it's mine" }
  const values = parse(helmValues(description, { chart: 'since 0.20', mode: 'in-syncer', image: 'x' }))
  const folder = "'/plugins/it'\\''s mine'"
  t.same(values.plugins[description.name].args, [`rm -rf ${folder} && cp -r /plugin ${folder}`])
  t.end()
})

void t.test(
  'a standalone plugin gets valid objects: a ServiceAccount, its roles and a Deployment',
  async (t) => {
    const server = await createApiServer({ name: 'host' })
    t.teardown(() => server.close())
    const transport = inProcessTransport(server)
    const client = createClient({ transport })
    const classes = kind('storageclasses', { group: 'storage.k8s.io', namespaced: false })
    const objects = standaloneObjects(described(kind('configmaps'), classes), {
      image: 'x',
      vclusterName: 'vc',
      namespace: 'team',
    })
    await client.create(namespaces, { metadata: { name: 'team' } })
    t.equal((await applySamples(objects, { side: 'host', client, transport })).length, objects.length)
    t.same(
      objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`),
      [
        'ServiceAccount team',
        ...['Role team', 'RoleBinding team', 'ClusterRole ', 'ClusterRoleBinding '],
        ...['ConfigMap team', 'Deployment team'],
      ],
    )
    const [role] = objects.filter((one): one is KubeObject & RoleObject => one.kind === 'Role')
    t.ok(
      role?.rules.some(({ resources }) => resources?.includes('leases')),
      'it leads by a Lease',
    )
    const { spec } = await client.get(deployments, { namespace: 'team', name: 'mine' })
    const { securityContext, terminationGracePeriodSeconds } = spec?.template.spec ?? {}
    t.match(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }, 'restricted')
    t.equal(terminationGracePeriodSeconds, 15, 'longer than the deadline of a plugin')
    t.match(spec?.template.spec?.volumes?.[0], { secret: { secretName: 'vc-vc' } })
  },
)

void t.test('the objects of a standalone plugin refer to each other', (t) => {
  const classes = kind('storageclasses', { group: 'storage.k8s.io', namespaced: false })
  const objects = standaloneObjects(described(kind('configmaps'), classes), {
    image: 'x',
    vclusterName: 'vc',
    namespace: 'team',
  }) as (KubeObject & Record<string, never>)[]
  const all = (kind: string) => objects.filter((object) => object.kind === kind)
  for (const kind of ['Role', 'ClusterRole']) {
    const apiGroup = 'rbac.authorization.k8s.io'
    t.strictSame(
      all(`${kind}Binding`).map(({ roleRef }) => roleRef),
      all(kind).map(({ metadata: { name } }) => ({ apiGroup, kind, name })),
    )
    for (const { subjects } of all(`${kind}Binding`))
      t.strictSame(subjects, [{ kind: 'ServiceAccount', name: 'mine', namespace: 'team' }])
  }
  const [deployment] = all('Deployment') as unknown as Deployment[]
  const { serviceAccountName, containers: [container] = [], volumes } = deployment?.spec?.template.spec ?? {}
  t.equal(serviceAccountName, 'mine')
  const env = Object.fromEntries(container?.env?.map(({ name, value }) => [name, value]) ?? [])
  // https://www.vcluster.com/docs/vcluster/configure/vcluster-yaml/export-kube-config/
  t.match(volumes, [
    { secret: { secretName: 'vc-vc' } },
    { configMap: { name: all('ConfigMap')[0]?.metadata.name } },
  ])
  const folders = volumes?.map(
    ({ name }) => container?.volumeMounts?.find((mount) => mount.name === name)?.mountPath,
  )
  t.strictSame(
    [env.VIRTUAL_KUBECONFIG, env.HOST_KUBECONFIG],
    [`${folders?.[0]}/config`, `${folders?.[1]}/kubeconfig`],
  )
  const { clusters, users, contexts, ...config } = JSON.parse(
    (all('ConfigMap')[0] as unknown as ConfigMap).data?.kubeconfig ?? '',
  )
  const account = '/var/run/secrets/kubernetes.io/serviceaccount'
  const files = [clusters[0].cluster['certificate-authority'], users[0].user.tokenFile]
  t.strictSame(files, [`${account}/ca.crt`, `${account}/token`])
  const context = contexts.find(({ name }: { name: string }) => name === config['current-context'])?.context
  t.strictSame(context, { cluster: clusters[0].name, user: users[0].name })
  t.match(env, { VCLUSTER_NAME: 'vc', TARGET_NAMESPACE: 'team', CONTAINER_NAME: container?.name })
  t.equal(
    env.PLUGIN_NAME,
    'mine',
    'else all plugins of a vcluster have one Lease: that of the folder in the image',
  )
  t.equal(env.METRICS_ADDRESS, `:${container?.ports?.[0]?.containerPort}`)
  for (const probe of [container?.livenessProbe, container?.readinessProbe])
    t.equal(probe?.httpGet?.port, container?.ports?.[0]?.name)
  t.match(
    container?.securityContext,
    { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    'restricted',
  )
  t.end()
})

void t.test('standalone plugins of two vclusters do not share a ClusterRole', (t) => {
  const classes = kind('storageclasses', { group: 'storage.k8s.io', namespaced: false })
  const clusterScoped = ['one', 'two'].flatMap((namespace) =>
    standaloneObjects(described(classes), { image: 'x', vclusterName: 'vc', namespace })
      .filter(({ metadata }) => metadata.namespace === undefined)
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  )
  t.strictSame(clusterScoped, [
    ...['ClusterRole one-mine', 'ClusterRoleBinding one-mine'],
    ...['ClusterRole two-mine', 'ClusterRoleBinding two-mine'],
  ])
  t.end()
})

void t.test('standalone plugins of two vclusters do not share a Role of another namespace', (t) => {
  const shared = {
    side: 'host',
    group: '',
    resource: 'secrets',
    verbs: ['get'],
    namespace: 'shared',
  } as const
  const description = { ...described(kind('configmaps')), permissions: [{ ...shared, neededBy: 'mine' }] }
  const roles = (namespace: string) =>
    standaloneObjects(description, { image: 'x', vclusterName: 'vc', namespace })
      .filter((object) => object.kind?.startsWith('Role'))
      .map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)
  t.strictSame(roles('one'), [
    ...['Role one/mine', 'RoleBinding one/mine'],
    ...['Role shared/one-mine', 'RoleBinding shared/one-mine'],
  ])
  t.strictSame(roles('two').slice(2), ['Role shared/two-mine', 'RoleBinding shared/two-mine'])
  t.end()
})

void t.test('a plugin that writes temporary files gets a place for them in each mode', (t) => {
  const description = { ...described(), writesTemporaryFiles: true } as const
  const values = (mode: 'sidecar' | 'in-syncer', given: PluginDescription = description) =>
    parse(helmValues(given, { chart: 'since 0.20', mode, image: 'x' }))
  const security = (isReadOnly: boolean) => ({
    mine: { securityContext: { readOnlyRootFilesystem: isReadOnly } },
  })
  t.match(values('sidecar').plugin, security(false))
  t.match(values('sidecar', described()).plugin, security(true))
  t.match(values('in-syncer').plugins, security(true), 'it only copies files')
  const objects = standaloneObjects(description, { image: 'x', vclusterName: 'vc', namespace: 'team' })
  t.match(objects.at(-1), {
    spec: { template: { spec: { containers: [{ volumeMounts: [{}, {}, { mountPath: '/tmp' }] }] } } },
  })
  t.end()
})

const schemaOf = async (folder: string) => JSON.parse((await manifest(folder, '--schema')).stdout)

void t.test('the schema of values files knows the configuration', async (t) => {
  const schema = await schemaOf('examples/everything')
  t.strictSame(Object.keys(schema.properties), ['plugin', 'plugins'])
  const { config } = schema.properties.plugins.properties.everything.properties
  t.strictSame(config.properties.cars, {
    default: true,
    description: 'Whether cars are copied to the host',
    type: 'boolean',
  })
  t.equal(config.required, undefined, 'what has a default may be left out')
  const without = await schemaOf('examples/hooks')
  t.strictSame(without.properties.plugins.properties.hooks, { type: 'object', properties: { config: {} } })
  const wrong = await manifest('examples/memcached', '--schema')
  t.match(wrong, { code: 2, stderr: /--schema is for plugins of a vcluster/ })
})

void t.test('a vcluster version without such plugins is a usage error', async (t) => {
  const answers = await Promise.all([
    manifest('examples/sync-all-configmaps', '--vcluster-version', '0.8.1'),
    manifest('examples/sync-all-configmaps', '--vcluster-version', '0.18', '--mode', 'in-syncer'),
    manifest('examples/sync-all-configmaps', '--vcluster-version', 'newest'),
    manifest('examples/interceptor', '--mode', 'v1'),
    manifest('examples/interceptor', '--vcluster-version', '0.19.10'),
    manifest('examples/interceptor'),
  ])
  t.match(answers, [
    { code: 2, stderr: /vcluster 0\.8\.1 does not support these plugins; use 0\.9\.1 or later/ },
    { code: 2, stderr: /vcluster 0\.18 cannot run plugins in its container, .*; use 0\.19 or later/ },
    { code: 2, stderr: /must be a release such as 0\.36\.1, got "newest"/ },
    {
      code: 1,
      stderr:
        /interceptors \(keep-namespaces, access-page\), but vcluster does not call interceptors in mode sidecar; use --mode/,
    },
    {
      code: 1,
      stderr: /this vcluster release does not call interceptors; use --vcluster-version 0\.20\.0 or later/,
    },
    { code: 0, stdout: /^plugins:$/m },
  ])
})

interface Answer {
  code: number
  stdout: string
  stderr: string
}

function manifest(...args: string[]): Promise<Answer> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['bin/vcluster-plugin.js', 'manifest', ...args],
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    )
  })
}
