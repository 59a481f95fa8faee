import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { issueCertificate } from '../../../sdk/engine/certificate/serving-certificate.js'
import type { Client } from '../../../sdk/engine/client/client.js'
import { createClient } from '../../../sdk/engine/client/create-client.js'
import {
  customResourceDefinitions,
  deployments,
  leases,
  namespaces,
  pods,
  secrets,
  services,
} from '../../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'
import { certificateSecret } from '../../../sdk/engine/webhook/certificate/certificate-secret.js'
import { mutatingWebhookConfigurations } from '../../../sdk/engine/webhook/configuration/webhook-configuration.js'
import { backup, backupDefinition, backups } from '../../../sdk/operator/backups.fixture.js'
import { describeOperator } from '../../../sdk/operator/describe/describe-operator.js'
import { controller } from '../../../sdk/operator/engine/controller.js'
import type { OperatorOptions } from '../../../sdk/operator/operator-options.js'
import { caches } from '../../../sdk/operator/webhook/caches.fixture.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { operatorProgramFindings } from '../programs/operator.js'
import { definitionFindings } from './definition-findings.js'
import { deletionFindings } from './deletion-findings.js'
import { leaseFinding } from './lease-finding.js'
import { operatorFindings } from './operator-findings.js'
import { permissionFinding } from './permission-finding.js'
import { webhookFindings } from './webhook-findings.js'

const namespace = 'mine-system'
const now = new Date('2026-11-21T10:00:00Z')
const earlier = (seconds: number) =>
  new Date(now.getTime() - seconds * 1000).toISOString().replace('Z', '000Z')

async function cluster(t: Pick<Test, 'teardown'>, options: Partial<OperatorOptions> = {}) {
  const server = await createApiServer({ name: 'host' })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  const client = createClient({ transport })
  await client.create(namespaces, { metadata: { name: namespace } })
  const description = describeOperator({ name: 'mine', env: {}, ...options }, [
    controller(backups, { reconcile: () => {} }) as never,
  ])
  return { transport, client, cluster: 'main', description, now }
}

const slices: Resource = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
}

function issue() {
  const names = { dnsNames: [`mine-webhook.${namespace}.svc`], addresses: [] }
  const pair = issueCertificate(names, { now: new Date(), lifeMs: 86_400_000 })
  const secret = certificateSecret({ namespace, name: 'mine-webhook-certificate' }, pair)
  return { secret, authority: pair.authorities.join('') }
}

const served = async (client: Client) => {
  for (;;) {
    const { status } = await client.get(customResourceDefinitions, {
      namespace: '',
      name: backupDefinition.metadata.name ?? '',
    })
    if (status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

void t.test('a definition is missing, then stale, then served', async (t) => {
  const all = await cluster(t)
  t.match(await definitionFindings(all), [
    { state: 'failed', message: /^backups\.cache\.my\.domain is not installed; apply what/ },
  ])
  const old = structuredClone(backupDefinition)
  const [version] = old.spec.versions
  const schema = version?.schema?.openAPIV3Schema as { properties: { spec: { properties: object } } }
  Reflect.deleteProperty(schema.properties.spec.properties, 'settings')
  const made = await all.client.create(customResourceDefinitions, old)
  await served(all.client)
  t.match(await definitionFindings(all), [{ state: 'failed', message: /the schema of v1 differs/ }])
  const live = await all.client.get(customResourceDefinitions, {
    namespace: '',
    name: made.metadata.name ?? '',
  })
  await all.client.update(customResourceDefinitions, { ...live, spec: backupDefinition.spec })
  t.match(await definitionFindings(all), [{ state: 'ok' }])
})

void t.test('a Lease is checked with its holder', async (t) => {
  const all = await cluster(t)
  t.match(await leaseFinding(all), {
    state: 'warning',
    message: /no replica holds the Lease mine-system\/mine/,
  })
  const spec = { holderIdentity: 'mine-1_x', leaseDurationSeconds: 15, renewTime: earlier(10) as never }
  const metadata = { namespace, name: 'mine' }
  const lease = await all.client.create(leases, { metadata, spec })
  t.match(await leaseFinding(all), { state: 'ok' }, 'without a Deployment nothing is known')

  const labels = { app: 'mine' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }
  await all.client.create(deployments, { metadata, spec: { selector: { matchLabels: labels }, template } })
  t.match(await leaseFinding(all), {
    state: 'failed',
    message: /no Pod of mine-system has the name mine-1; two/,
  })
  const pod = await all.client.create(pods, { metadata: { namespace, name: 'mine-1' }, spec: template.spec })
  t.match(await leaseFinding(all), { state: 'failed', message: /Pod mine-1 is not one of Deployment mine/ })
  await all.client.update(pods, { ...pod, metadata: { ...pod.metadata, labels } })
  t.match(await leaseFinding(all), {
    state: 'ok',
    message: 'mine-1_x holds the Lease mine-system/mine and renews it',
  })

  await all.client.update(leases, { ...lease, spec: { ...spec, renewTime: earlier(60) as never } })
  t.match(await leaseFinding(all), {
    state: 'warning',
    message: /has not renewed it since 2026-11-21T09:59:00/,
  })
})

void t.test('deletions that wait for our finalizer are reported, others are not', async (t) => {
  const all = await cluster(t)
  await all.client.create(customResourceDefinitions, backupDefinition)
  await served(all.client)
  t.match(await deletionFindings(all), [{ state: 'ok' }])
  for (const [name, finalizer] of [
    ['ours', 'cache.my.domain/backups'],
    ['theirs', 'other.domain/x'],
  ] as const) {
    await all.client.create(backups, {
      ...backup(1),
      metadata: { namespace: 'default', name, finalizers: [finalizer] },
    })
    await all.client.delete(backups, { namespace: 'default', name })
  }
  const soon = new Date()
  t.match(await deletionFindings({ ...all, now: soon }), [{ state: 'ok' }], 'it may still be at work')
  const found = await deletionFindings({ ...all, now: new Date(soon.getTime() + 180_000) })
  t.match(found, [
    {
      state: 'failed',
      message:
        /^the deletion of backups\.cache\.my\.domain default\/ours has been waiting for the finalizer cache\.my\.domain\/backups of controller backups .* kubectl logs -n mine-system deployment\/mine\. .* remove the finalizer/,
    },
  ])
})

void t.test(
  'webhooks need their configuration, a ready endpoint and an authority that issued their certificate',
  async (t) => {
    const all = await cluster(t, { webhooks: { kinds: [caches] } })
    const service = { namespace, name: 'mine-webhook' }
    t.match(await webhookFindings(all), [
      { state: 'failed', message: /^MutatingWebhookConfiguration mine does not exist/ },
      { state: 'failed', message: /^ValidatingWebhookConfiguration mine does not exist/ },
      { state: 'failed', message: /^Service mine-system\/mine-webhook does not exist/ },
    ])

    const [mutating] = all.description.webhooks?.configurations ?? []
    const made = await all.client.create(mutatingWebhookConfigurations, mutating as never)
    await all.client.create(services, { metadata: service, spec: { ports: [{ port: 443 }] } })
    t.match(await webhookFindings(all), [
      { message: /^ValidatingWebhookConfiguration/ },
      { state: 'failed', message: /has no ready endpoint/ },
      { state: 'failed', message: /has a webhook without a caBundle/ },
    ])

    const [own, other] = [issue(), issue()]
    await all.client.create(secrets, own.secret)
    const labels = { 'kubernetes.io/service-name': service.name }
    await all.client.create(slices, {
      metadata: { namespace, name: 'slice', labels },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
    } as KubeObject)
    const trusting = (authority: string) => ({
      ...made,
      metadata: { ...made.metadata, resourceVersion: undefined as never },
      webhooks: made.webhooks.map((one) => ({
        ...one,
        clientConfig: {
          ...(one.clientConfig as object),
          caBundle: Buffer.from(authority).toString('base64'),
        },
      })),
    })
    await all.client.update(mutatingWebhookConfigurations, trusting(other.authority))
    t.match((await webhookFindings(all)).slice(1), [
      { state: 'ok', message: /has 1 ready endpoints/ },
      { state: 'failed', message: /did not issue the certificate/ },
    ])
    await all.client.update(mutatingWebhookConfigurations, trusting(own.authority))
    t.match((await webhookFindings(all)).slice(2), [{ state: 'ok' }])
  },
)

void t.test('configurations that the operator writes itself are missed, too', async (t) => {
  const webhooks = { kinds: [caches], certificate: 'selfSigned' as const }
  const all = await cluster(t, { webhooks })
  const written = /Configuration mine does not exist; the operator writes it once it leads/
  t.match(await webhookFindings(all), [
    { state: 'failed', message: written },
    { state: 'failed', message: written },
    { state: 'failed', message: /^Service/ },
  ])
})

void t.test('what may not be read is skipped', async (t) => {
  const { transport, description } = await cluster(t)
  const status = { kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', message: 'not you' }
  const client = createClient({
    transport: {
      request: (call) =>
        call.method === 'GET'
          ? Promise.resolve({ status: 403, headers: {}, body: Buffer.from(JSON.stringify(status)) })
          : transport.request(call),
      stream: (call) => transport.stream(call),
      close: () => transport.close(),
    },
  })
  const found = await operatorFindings({ client, cluster: 'main', description, now })
  t.match(found, [
    { check: 'definitions', state: 'skipped', message: 'not you; use credentials that may do this' },
    { check: 'permissions', state: 'ok' },
    { check: 'Lease', state: 'skipped' },
    { check: 'deletions', state: 'skipped' },
  ])
})

void t.test('another cluster needs the kinds and permissions that are declared for it', async (t) => {
  const all = await cluster(t)
  const description = describeOperator(
    { name: 'mine', env: {}, clusters: { main: {}, edge: {} }, webhooks: { kinds: [caches] } },
    [
      controller(backups, { cluster: 'edge', reconcile: () => {} }) as never,
      controller(caches, { cluster: 'main', reconcile: () => {} }) as never,
    ],
  )
  const server = await createApiServer({ name: 'edge', authorization: 'rbac' })
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  t.match(await operatorFindings({ ...all, client, cluster: 'edge', description }), [
    { check: 'definitions', state: 'failed', message: /^backups\.cache\.my\.domain is not installed/ },
    {
      check: 'permissions',
      state: 'failed',
      message: /may not get backups\.cache\.my\.domain, .*vcluster-plugin manifest --cluster edge" prints/,
    },
    { check: 'deletions', state: 'ok' },
  ])
  const first = await operatorFindings({ ...all, cluster: 'main', description })
  t.ok(
    first.some(({ check }) => check.startsWith('webhook')),
    'the webhooks are those of the first cluster',
  )
})

void t.test('each cluster of an operator is checked by its kubeconfig', async (t) => {
  const edge = await createApiServer({ name: 'edge' })
  t.teardown(() => edge.close())
  await edge.listen()
  const folder = t.testdir({ 'edge.kubeconfig': await edge.kubeconfig(), main: await edge.kubeconfig() })
  const description = describeOperator(
    { name: 'mine', env: {}, clusters: { main: {}, edge: {}, moon: {} } },
    [controller(backups, { cluster: 'edge', reconcile: () => {} }) as never],
  )
  const options = { folder: '.', context: undefined, virtual: undefined, namespace: undefined }
  const found = await operatorProgramFindings(description, {
    ...options,
    output: 'table',
    kubeconfig: join(folder, 'main'),
    kubeconfigs: folder,
  })
  const states = found.map(({ check, state }) => `${check} ${state}`)
  t.ok(states.includes('main: cluster ok'))
  t.ok(states.includes('main: Lease warning'))
  t.ok(states.includes('edge: definitions failed'))
  t.notOk(states.some((text) => text.startsWith('edge: Lease')))
  t.match(found.at(-1), {
    check: 'moon: cluster',
    state: 'skipped',
    message: /moon\.kubeconfig with --kubeconfigs/,
  })
  const { CLUSTER_KUBECONFIGS: before } = process.env
  t.teardown(() => {
    if (before === undefined) delete process.env.CLUSTER_KUBECONFIGS
    else process.env.CLUSTER_KUBECONFIGS = before
  })
  process.env.CLUSTER_KUBECONFIGS = folder
  const byVariable = await operatorProgramFindings(description, {
    ...options,
    output: 'table',
    kubeconfig: join(folder, 'main'),
    kubeconfigs: undefined,
  })
  t.strictSame(
    byVariable.map(({ check, state }) => `${check} ${state}`),
    states,
    'the variable names the folder, too',
  )
})

void t.test('a cluster that only KUBECONFIG names must answer', async (t) => {
  const { KUBECONFIG: before } = process.env
  t.teardown(() => {
    if (before === undefined) delete process.env.KUBECONFIG
    else process.env.KUBECONFIG = before
  })
  process.env.KUBECONFIG = join(t.testdirName, 'none')
  const description = describeOperator({ name: 'mine', env: {} }, [])
  const options = { folder: '.', output: 'table', kubeconfig: undefined, context: undefined } as const
  const found = await operatorProgramFindings(description, {
    ...options,
    virtual: undefined,
    namespace: undefined,
    kubeconfigs: undefined,
  })
  t.match(found, [{ check: 'cluster', state: 'failed', message: /none does not exist; check the path/ }])
})

void t.test('missing permissions are those of the ServiceAccount, not of who asks', async (t) => {
  const server = await createApiServer({ name: 'host', authorization: 'rbac' })
  t.teardown(() => server.close())
  const all = await cluster(t)
  const client = createClient({ transport: inProcessTransport(server) })
  t.match(await permissionFinding({ ...all, client }), {
    state: 'failed',
    message:
      /^ServiceAccount mine-system\/mine may not get backups\.cache\.my\.domain, .* and \d+ more; apply what/,
  })
  const { description } = await cluster(t, { webhooks: { kinds: [caches], serviceAccount: 'my-sa' } })
  t.match(await permissionFinding({ ...all, client, description }), {
    message: /^ServiceAccount mine-system\/my-sa may not get /,
  })
})
