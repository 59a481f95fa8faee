// Tests every example between an embedded virtual cluster and a real host with exactly the permissions that
// `vcluster-plugin rbac` prints.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filter, firstValueFrom, type Observable, share } from 'rxjs'
import t, { type Test } from 'tap'
import type { CopyChange } from '../cli/copies/copy-log.js'
import { watchCopies } from '../cli/copies/watch-copies.js'
import { describePlugin } from '../cli/program/describe-program.js'
import { findPlugin } from '../cli/program/find-plugin.js'
import type { RoleObject } from '../cli/roles/role-objects.js'
import { applySamples, readHostSamples, readSamples } from '../cli/samples/samples.js'
import { installCertManager, issueAll } from '../examples/certificates/cert-manager.fixture.js'
import { hostCertificates } from '../examples/certificates/host-certificate.js'
import { certificates } from '../examples/certificates/kinds.js'
import { key, spec } from '../examples/certificates/scenario.fixture.js'
import { carDefinition } from '../examples/crd-sync/car-definition.js'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import {
  customResourceDefinitions,
  namespaces,
  secrets,
  serviceAccounts,
  services,
} from '../sdk/engine/kube/builtin.js'
import { systemClock } from '../sdk/engine/time/clock.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../sdk/engine/transport/transport.js'
import type { Side } from '../sdk/vcluster/context/register-context.js'
import { permissionsOf } from '../sdk/vcluster/plugin/permissions.js'
import type { Plugin } from '../sdk/vcluster/plugin/plugin.js'
import { createPluginRuntime } from '../sdk/vcluster/plugin/plugin-runtime.js'
import { createApiServer } from '../testing/index.js'
import type { Register } from '../testing/plugin/test-plugin.js'
import { root } from './dev-run.js'
import { findMissingVerbs } from './real/find-missing-verbs.js'
import { missingAssets, type RealCluster, startRealCluster } from './real/real-cluster.js'
import { rbacKind } from './real/service-account.js'

// These tests start programs and a control plane, which takes longer on busy machines.
t.setTimeout(600_000)
const skip = missingAssets()

/** The examples with their samples. The sample of the other side shows where the copy goes. */
const examples = {
  'sync-all-configmaps': 'greeting',
  'crd-sync': 'beetle',
  'pull-secret-sync': 'registry',
  'import-secrets': 'database',
  everything: undefined,
  hooks: undefined,
  interceptor: undefined,
  'bootstrap-with-deployment': undefined,
  certificates: undefined,
}

/** The plugin in the virtual cluster. */
const user = { kind: 'User', name: 'plugin', apiGroup: 'rbac.authorization.k8s.io' }

if (skip) void t.test('every example runs with exactly its Role', { skip }, () => {})
else {
  const folder = await mkdtemp(join(tmpdir(), 'rbac-'))
  const host = await startRealCluster()
  t.teardown(() => Promise.all([host.stop(), rm(folder, { recursive: true })]))
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: host.kubeconfig }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  await admin.create(customResourceDefinitions, carDefinition)
  await installCertManager(admin)
  for (const [name, sample] of Object.entries(examples)) {
    await t.test(`${name} runs with exactly its Role`, async (t) => {
      const site = { t, name, folder, host, transport, admin }
      const roles = await printedRoles(name, 'host')
      await allowed(site, roles)
      await runs(site, sample)
      if (name === 'certificates') await needsEachVerb(site, roles)
    })
  }

  await t.test('credentials are compared with the permissions that a plugin needs', async (t) => {
    const credentials = [
      '--kubeconfig',
      join(folder, 'sync-all-configmaps.host'),
      '-n',
      'sync-all-configmaps',
    ]
    const asked = ['--check', '--mode', 'standalone', '-o', 'table', ...credentials]
    const exact = await rbac('examples/sync-all-configmaps', ...asked)
    t.match(exact, { code: 0, stderr: '' })
    t.same(exact.stdout.match(/^(missing|excess).*$/gm), null)
    const others = await rbac('examples/crd-sync', ...asked)
    t.match(others, {
      code: 1,
      stderr: /lacks 6 permissions .* such as create on cars\.example\.loft\.sh/,
    })
    t.match(others.stdout, /^missing +cars\.example\.loft\.sh: create$/m)
    t.match(others.stdout, /^excess +configmaps: create, delete, get, list, update, watch$/m)
  })
}

interface RbacTestCase {
  t: Test
  name: string
  folder: string
  host: RealCluster
  /** A transport of the host's administrator. */
  transport: Transport
  admin: Client
}

async function printedRoles(name: string, side: Side): Promise<RoleObject[]> {
  const options = ['--side', side, '--mode', 'standalone', '-n', name, '-o', 'json']
  const { stdout } = await rbac(`examples/${name}`, ...options)
  return JSON.parse(stdout)
}

/** Runs the command and returns its output. */
function rbac(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = ['bin/vcluster-plugin.js', 'rbac', ...args]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { cwd: root }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    )
  })
}

/** Creates the namespace of a vcluster with a ServiceAccount that has these roles. */
async function allowed({ name, admin }: RbacTestCase, roles: readonly RoleObject[]): Promise<void> {
  await admin.create(namespaces, { metadata: { name } })
  await admin.create(serviceAccounts, { metadata: { namespace: name, name: 'plugin' } })
  await admin.create(services, {
    metadata: { namespace: name, name: 'vc' },
    spec: { ports: [{ port: 443 }] },
  })
  await bind(admin, roles, [{ kind: 'ServiceAccount', name: 'plugin', namespace: name }])
}

/** Creates the roles, and gives them to these subjects. */
async function bind(admin: Client, roles: readonly RoleObject[], subjects: readonly object[]): Promise<void> {
  for (const role of roles) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name: role.metadata.name }
    const binding = { metadata: role.metadata, roleRef, subjects }
    await admin.create(rbacKind(role.kind), role)
    await admin.create(rbacKind(`${role.kind}Binding`), binding)
  }
}

/** Each verb that is taken out of the roles on the host is missed. */
async function needsEachVerb(site: RbacTestCase, roles: readonly RoleObject[]): Promise<void> {
  const { t, name, admin } = site
  const description = await describePlugin(await findPlugin(join(root, 'examples', name)))
  const permissions = permissionsOf(description, { mode: 'standalone' }).filter(({ side }) => side === 'host')
  const transport = createTransport({
    kubeconfig: await loadKubeconfig({ text: await accountsKubeconfig(site) }),
  })
  t.teardown(() => transport.close())
  const count = await findMissingVerbs(t, { transport, permissions, namespace: name, admin, roles })
  t.ok(count > 5, `${count} verbs`)
}

async function runs(site: RbacTestCase, sample: string | undefined): Promise<void> {
  const { t, name, folder } = site
  const files = { virtual: join(folder, `${name}.virtual`), host: join(folder, `${name}.host`) }
  const isRestricted = name === 'certificates'
  const virtual = await createApiServer({
    name: 'virtual',
    ...(isRestricted && { authorization: 'rbac' }),
  })
  await virtual.listen()
  t.teardown(() => virtual.close())
  const administrator = await virtual.kubeconfig()
  const access = createTransport({ kubeconfig: await loadKubeconfig({ text: administrator }) })
  t.teardown(() => access.close())
  if (isRestricted) {
    const client = createClient({ transport: access })
    await bind(client, await printedRoles(name, 'virtual'), [user])
  }
  const restricted = { user: user.name, groups: [] }
  await writeFile(files.virtual, isRestricted ? await virtual.kubeconfig(restricted) : administrator)
  await writeFile(files.host, await accountsKubeconfig(site))
  const { plugin, refusals } = await started(name, files)
  t.teardown(() => plugin.stop())
  if (sample) await mirrors(site, sample, access)
  if (name === 'certificates') await issues(site, createClient({ transport: access }))
  t.same(
    refusals.filter((line) => !/"?services"?/.test(line)),
    [],
  )
  await plugin.stop()
}

/** The administrator's kubeconfig with the token of the ServiceAccount. */
async function accountsKubeconfig({ name, host, transport }: RbacTestCase): Promise<string> {
  const { body } = await transport.request({
    method: 'POST',
    path: `/api/v1/namespaces/${name}/serviceaccounts/plugin/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
  })
  const { token } = JSON.parse(Buffer.from(body).toString()).status
  return JSON.stringify({ ...JSON.parse(host.kubeconfig), users: [{ name: 'test', user: { token } }] })
}

/** Starts an example standalone, and records the requests that were forbidden. */
async function started(
  name: string,
  files: { virtual: string; host: string },
): Promise<{ plugin: Plugin; refusals: string[] }> {
  const refusals: string[] = []
  const note = (fields: object, text: string) => {
    const line = `${text} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? value.message : value))}`
    if (/forbidden/i.test(line)) refusals.push(line)
  }
  const logger = { debug: note, info: note, warn: note, error: note, child: () => logger }
  const env = {
    VIRTUAL_KUBECONFIG: files.virtual,
    HOST_KUBECONFIG: files.host,
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: name,
  }
  const plugin = createPluginRuntime({ env, logger })
  const { register }: { register: Register } = await import(`../examples/${name}/register.js`)
  await register(plugin, await plugin.init({ name }))
  void plugin.start()
  await plugin.whenRunning()
  return { plugin, refusals }
}

/**
 * Checks that the sample's copy is created, updated and deleted, and that the permissions are exactly those
 * that are needed.
 */
async function mirrors(
  { name, transport, admin }: RbacTestCase,
  sample: string,
  access: Transport,
): Promise<void> {
  const path = join(root, 'examples', name)
  const virtual = createClient({ transport: access })
  const changes$ = watchCopies({
    virtual: { transport: access },
    host: { transport },
    clock: systemClock,
  }).pipe(share())
  const watching = changes$.subscribe()
  const next = (verb: CopyChange['verb']) => seen(changes$, sample, verb)
  const isOwn = ({ kind = '' }) => kind !== 'CustomResourceDefinition'
  const [ofHost, ofUsers] = [(await readHostSamples(path)).filter(isOwn), await readSamples(path)]
  const created = next('created')
  const samples = [
    ...(await applySamples(ofHost, { side: 'host', client: admin, transport, namespace: name })),
    ...(await applySamples(ofUsers, { side: 'virtual', client: virtual, transport: access })),
  ]
  await created
  const one = samples.find(({ key }) => key.name === sample)
  if (!one) throw new Error(`${name} has no sample ${sample}`)
  const users = one.side === 'host' ? admin : virtual
  const updated = next('updated')
  await users.patch(one.resource, one.key, {
    type: 'merge',
    body: { metadata: { labels: { tier: 'front' } } },
  })
  await updated
  const deleted = next('deleted')
  await users.delete(one.resource, one.key)
  await deleted
  watching.unsubscribe()
}

/** A Certificate is asked for, issued and deleted. */
async function issues({ name, admin }: RbacTestCase, virtual: Client): Promise<void> {
  const exists = (read: () => Promise<unknown>) =>
    read().then(
      () => true,
      () => false,
    )
  const until = async (isDone: () => Promise<boolean>) => {
    while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const asked = { namespace: name, name: `${key.name}-x-${key.namespace}-x-vc` }
  await virtual.create(certificates, { metadata: key, spec })
  await until(() => exists(() => admin.get(hostCertificates, asked)))
  await issueAll(admin, name)
  await until(() => exists(() => virtual.get(secrets, { ...key, name: spec.secretName })))
  await virtual.delete(certificates, key)
  await until(async () => !(await exists(() => virtual.get(certificates, key))))
}

function seen(changes$: Observable<CopyChange>, sample: string, verb: CopyChange['verb']): Promise<unknown> {
  return firstValueFrom(
    changes$.pipe(filter((change) => change.verb === verb && change.original.name === sample)),
  )
}
