// `vcluster-plugin manifest` of an operator on a real control plane: installed, at work, and removed again.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { operatorFindings } from '../cli/doctor/operator/operator-findings.js'
import { describeAnyProgram } from '../cli/program/describe-program.js'
import { findPlugin } from '../cli/program/find-plugin.js'
import { backups } from '../examples/memcached/backup.js'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { deployments, namespaces, pods, serviceAccounts } from '../sdk/engine/kube/builtin.js'
import type { Key } from '../sdk/engine/kube/key.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import type { OperatorDescription } from '../sdk/operator/describe/operator-description.js'
import { root } from './dev-run.js'
import { startPlugin } from './plugin-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { accountKubeconfig, accountToken } from './real/service-account.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')
const namespace = 'memcached-operator-system'
const key = { namespace: 'default', name: 'daily' }
const command = ['bin/vcluster-plugin.js', 'manifest', 'examples/memcached']

async function manifest(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...command, ...args], { cwd: root })
  return stdout
}

void t.test('an operator is installed by its manifest', { skip, timeout: 600_000 }, async (t) => {
  const cluster = await startRealCluster({ controllerManager: true })
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  const description = (await describeAnyProgram(
    await findPlugin(join(root, 'examples/memcached')),
  )) as OperatorDescription
  const objects: KubeObject[] = parseAllDocuments(await manifest()).map((one) => one.toJS())

  await t.test('the API server takes each object, and the Pods pass the restricted profile', async (t) => {
    for (const body of objects) {
      const { name = '', namespace = '' } = body.metadata
      const at = { namespace, name }
      await admin.patch(resourceOf(body), at, { type: 'apply', fieldManager: 'test', body })
    }
    await until(async () => (await admin.list(pods, { namespace })).items.length === 2)
    const privileged = {
      metadata: { namespace, name: 'other' },
      spec: { containers: [{ name: 'c', image: 'c' }] },
    }
    await t.rejects(admin.create(pods, privileged), /violates PodSecurity "restricted/)
  })

  await t.test('it takes variables, pull secrets, node selectors and tolerations', async (t) => {
    const flags = [
      ...['--env', 'LOG_LEVEL=debug', '--env-from', 'secret/cloud', '--env-from', 'configmap/settings'],
      ...['--image-pull-secret', 'registry', '--node-selector', 'example.com/pool=infra'],
      ...['--toleration', 'dedicated=infra:NoSchedule', '--toleration', 'spot'],
    ]
    const printed: KubeObject[] = parseAllDocuments(await manifest(...flags)).map((one) => one.toJS())
    const body = printed.find(({ kind }) => kind === 'Deployment')
    const at = { namespace, name: 'memcached-operator' }
    const options = { type: 'apply', fieldManager: 'test', dryRun: true } as const
    const stored = await admin.patch(deployments, at, { ...options, body: body ?? {} })
    t.match(stored.spec?.template.spec, {
      containers: [{ envFrom: [{ secretRef: { name: 'cloud' } }, { configMapRef: { name: 'settings' } }] }],
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { 'example.com/pool': 'infra' },
      tolerations: [
        { key: 'dedicated', value: 'infra' },
        { key: 'spot', operator: 'Exists' },
      ],
    })
  })

  const findings = () => operatorFindings({ client: admin, cluster: 'main', description, now: new Date() })
  await t.test('doctor finds the definitions and all permissions', async (t) => {
    const [definitions, permissions, lease] = await findings()
    t.match(definitions, { check: 'definitions', state: 'ok' })
    t.match(permissions, { check: 'permissions', state: 'ok' })
    t.match(lease, { check: 'Lease', state: 'warning', message: /no replica holds/ })
  })

  const file = join(t.testdir(), 'kubeconfig')
  const account = { namespace, name: 'memcached-operator' }
  writeFileSync(file, await accountKubeconfig(account, { transport, kubeconfig: cluster.kubeconfig }))
  const operator = startPlugin('examples/memcached/main.ts', {
    KUBECONFIG: file,
    POD_NAMESPACE: namespace,
    SECURE_METRICS_ADDRESS: '127.0.0.1:0',
  })
  t.teardown(() => operator.end('SIGKILL'))

  await t.test('the ServiceAccount may do the work', async () => {
    await operator.line('is running')
    await admin.create(backups, { metadata: key, spec: { size: 1 } })
    await until(() => exists(() => admin.get(deployments, key)))
    await until(async () => ((await admin.get(backups, key)).status?.conditions ?? []).length > 0)
  })

  await t.test('the metrics are for ServiceAccounts with the role of readers', async (t) => {
    const { port } = JSON.parse(await operator.line('metrics are served by HTTPS'))
    const tokenOf = async (name: string) => {
      await admin.create(serviceAccounts, { metadata: { namespace: 'default', name } })
      return accountToken({ namespace: 'default', name }, transport)
    }
    const prometheus = await tokenOf('prometheus')
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'prometheus' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'memcached-operator-metrics-reader',
      },
      subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'prometheus' }],
    }
    await admin.create(resourceOf(binding), binding as KubeObject)
    await until(() => mayReadMetrics(admin, 'system:serviceaccount:default:prometheus'))
    t.equal(await metricsStatus(port, prometheus), 200)
    t.equal(await metricsStatus(port, await tokenOf('visitor')), 403)
    t.equal(await metricsStatus(port, 'forged'), 401)
    t.equal(await metricsStatus(port), 401)
  })

  await t.test('doctor finds that a process outside of the Deployment holds the Lease', async (t) => {
    const [, , lease] = await findings()
    t.match(lease, { check: 'Lease', state: 'failed', message: /two operators with one Lease take turns/ })
  })

  await t.test('the commands remove everything', async (t) => {
    const commands = (await manifest('--uninstall')).trim().split('\n')
    t.match(commands[0], /^kubectl delete memcachedbackups\.cache\.my\.domain --all --all-namespaces/)
    t.match(
      commands[1],
      /^kubectl delete deployment\.v1\.apps memcached-operator -n memcached-operator-system/,
    )
    t.match(commands.at(-1), /^kubectl delete customresourcedefinition/)
    await admin.delete(backups, key)
    await until(async () => !(await exists(() => admin.get(backups, key))))
    t.equal(await operator.end(), 0)
    for (const line of commands.slice(1)) {
      const [, , type = '', name = '', , at = ''] = line.replace(' --ignore-not-found', '').split(' ')
      const kind = objects.find((one) => one.kind?.toLowerCase() === type.split('.')[0])
      if (!kind) continue
      await admin.delete(resourceOf(kind), { namespace: at, name })
      await until(async () => !(await exists(() => admin.get(resourceOf(kind), { namespace: at, name }))))
    }
    for (const object of objects.filter((one) => one.kind !== 'Namespace')) {
      const at: Key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }
      t.notOk(await exists(() => admin.get(resourceOf(object), at)), `${object.kind} ${at.name}`)
    }
    t.notOk(await exists(() => admin.get(namespaces, { namespace: '', name: namespace })))
  })
})

/** Whether the API server knows already that the user may: its cache of roles is a moment behind. */
async function mayReadMetrics(admin: Client, user: string): Promise<boolean> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: { user, nonResourceAttributes: { path: '/metrics', verb: 'get' } },
  }
  const answer = (await admin.create(resourceOf(review), review)) as { status?: { allowed: boolean } }
  return answer.status?.allowed === true
}

/** The status with which the operator answers somebody with this token. */
function metricsStatus(port: number, token?: string): Promise<number | undefined> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    get(
      { host: '127.0.0.1', port, path: '/metrics', headers, rejectUnauthorized: false, agent: false },
      (response) => resolve(response.resume().statusCode),
    ).on('error', reject)
  })
}

function resourceOf({ apiVersion = '', kind = '', metadata }: KubeObject): Resource {
  const [first = '', second] = apiVersion.split('/')
  const [group, version] = second === undefined ? ['', first] : [first, second]
  const namespaced = metadata.namespace !== undefined
  return { group, version, kind, plural: `${kind.toLowerCase().replace(/y$/, 'ie')}s`, namespaced }
}

const exists = (read: () => Promise<unknown>): Promise<boolean> =>
  read().then(
    () => true,
    () => false,
  )
