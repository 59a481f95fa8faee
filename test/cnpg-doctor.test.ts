// `vcluster-plugin doctor` of a plugin for CloudNativePG on a real API server: each mistake that the operator passes
// over.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { cnpgFindings } from '../cli/doctor/cnpg/cnpg-findings.js'
import { cnpgObjects } from '../cli/manifest/cnpg/cnpg-objects.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import {
  type Deployment,
  deployments,
  namespaces,
  type Secret,
  type Service,
  secrets,
  services,
} from '../sdk/engine/kube/builtin.js'
import { CertificateAuthority, commonName } from '../sdk/engine/kube/certificate/certificate-authority.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { root } from './dev-run.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'

const skip = missingAssets()
const plugin = 'hello-world.example.org'
const at = { namespace: 'cnpg-system', name: 'hello-world' }
const dayMs = 86_400_000

/** What `manifest` prints, as a user applies it. */
const manifest = cnpgObjects(
  {
    kind: 'CnpgPluginDescription',
    name: plugin,
    version: '1',
    stopDeadlineMs: 1000,
    has: { default: true, validate: true },
  },
  { image: 'hello:1', namespace: at.namespace, replicas: 1, memoryMiB: 200 },
)
const made = <T>(kind: string) => manifest.find((object) => object.kind === kind) as T

const validity = (fromMs = -dayMs, toMs = dayMs) => ({
  notBefore: new Date(Date.now() + fromMs),
  notAfter: new Date(Date.now() + toMs),
})
const encode = (text: string) => Buffer.from(text).toString('base64')

/** The Secret of a certificate, whose `tls.crt` has the authority as well, so that a leaf alone is a mistake. */
function secretOf(name: string, dnsName: string, dates = validity(), hasAuthority = true): Secret {
  const authority = new CertificateAuthority('test', dates)
  const usage = name.includes('server') ? 'server' : 'client'
  const { certificate, key } = authority.issue({
    subject: [[commonName, dnsName]],
    usage,
    dnsNames: [dnsName],
  })
  const chain = certificate + (hasAuthority ? authority.certificate : '')
  const metadata = { namespace: at.namespace, name }
  return { metadata, data: { 'tls.crt': encode(chain), 'tls.key': encode(key) } }
}

const [server, client] = ['hello-world-server-tls', 'hello-world-client-tls']

void t.test('doctor finds each mistake', { skip, timeout: 600_000 }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ file: cluster.kubeconfigFile }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  const findAll = (namespace?: string, contextNamespace?: string) =>
    cnpgFindings({ client: admin, plugin, namespace, contextNamespace, now: new Date() })
  const find = async (namespace?: string) => (await findAll(namespace)).filter(({ state }) => state !== 'ok')
  const only = async (state: string, message: RegExp) => {
    const found = await find()
    t.match(found, [{ state, message }])
    t.equal(found.length, 1)
  }

  t.match(await find(), [
    { state: 'warning', message: /^no Deployment has the label app\.kubernetes\.io\/name=cloudnative-pg/ },
    { state: 'failed', message: /^no Service in cnpg-system has the label cnpg\.io\/pluginName=hello-world/ },
  ])
  await admin.create(namespaces, { metadata: { name: at.namespace } })
  const labels = { 'app.kubernetes.io/name': 'cloudnative-pg' }
  const operator: Deployment = {
    metadata: { namespace: at.namespace, name: 'operator', labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'manager', image: 'operator:1' }] } },
    },
  }
  await admin.create(deployments, operator)
  await admin.create(services, made<Service>('Service'))
  await admin.create(deployments, made<Deployment>('Deployment'))
  t.match(await find(), [
    { check: 'server certificate', message: /names the Secret hello-world-server-tls, which does not exist/ },
    { check: 'client certificate', message: /names the Secret hello-world-client-tls, which does not exist/ },
  ])
  const store = async (secret: Secret) => {
    const name = secret.metadata.name ?? ''
    await admin.delete(secrets, { namespace: at.namespace, name }).catch(() => {})
    await admin.create(secrets, secret)
  }
  await store(secretOf(server, 'hello-world'))
  await store(secretOf(client, 'hello-world-client'))
  t.same(await find(), [], 'what the manifest prints has no mistake')

  t.match(await find('default'), [
    { message: /is in cnpg-system and looks for plugins there only, but the plugin is in default/ },
    { message: /^no Service in default/ },
  ])
  const tenant = { namespace: 'default', name: 'mine' }
  await admin.create(deployments, { ...operator, metadata: { ...tenant, labels } })
  const several = /^Deployments in cnpg-system, default have the label .*: pass that namespace with -n$/
  t.match(
    await find(),
    [{ check: 'operator', state: 'warning', message: several }],
    'a tenant decides nothing',
  )
  await admin.delete(deployments, tenant)

  const change = (metadata: object) =>
    admin.patch(services, at, { type: 'merge', body: { metadata } as Service })
  const name = 'cnpg.io/pluginName'
  await change({ labels: { [name]: 'another.example.org' } })
  await only(
    'failed',
    /label cnpg\.io\/pluginName=another\.example\.org, but the plugin is called hello-world/,
  )
  await change({ labels: { [name]: null } })
  await only(
    'failed',
    /^Service hello-world has no label cnpg\.io\/pluginName; set it to hello-world\.example\.org$/,
  )
  await change({ labels: { [name]: plugin }, annotations: { 'cnpg.io/pluginPort': 'grpc' } })
  await only(
    'failed',
    /^cnpg\.io\/pluginPort of Service hello-world is "grpc", but the Service has the ports 9090, 443$/,
  )
  await change({ annotations: { 'cnpg.io/pluginPort': null } })
  await only(
    'failed',
    /has no annotation cnpg\.io\/pluginPort; set it to the port of the gRPC server, one of 9090, 443$/,
  )
  await change({ annotations: { 'cnpg.io/pluginPort': '9090', 'cnpg.io/pluginServerSecret': null } })
  await only('failed', /^Service hello-world has no annotation cnpg\.io\/pluginServerSecret/)
  await change({ annotations: { 'cnpg.io/pluginServerSecret': server } })

  await store(secretOf(server, 'hello-world.cnpg-system.svc'))
  await only('failed', /is for DNS:hello-world\.cnpg-system\.svc, but the operator expects hello-world;/)
  await change({ annotations: { 'cnpg.io/pluginServerName': 'hello-world.cnpg-system.svc' } })
  t.same(await find(), [], 'the name of the annotation counts')
  await change({ annotations: { 'cnpg.io/pluginServerName': null } })
  await store(secretOf(server, 'hello-world', validity(-2 * dayMs, -dayMs)))
  await only('failed', /^the certificate in Secret hello-world-server-tls expired at .*; renew it$/)
  const { 'tls.crt': certificate = '', ...rest } = secretOf(server, 'hello-world').data ?? {}
  await store({ ...secretOf(server, 'hello-world'), data: { ...rest, 'ca.crt': certificate } })
  await only('failed', /has no certificate in tls\.crt; the operator reads that key only$/)
  await store(secretOf(server, 'hello-world'))

  const own = secretOf(client, 'hello-world-client')
  await store({
    ...own,
    data: { ...own.data, 'tls.key': secretOf(client, 'x').data?.['tls.key'] ?? '' },
  })
  await only('failed', /^tls\.key of Secret hello-world-client-tls is not the key of its tls\.crt/)
  await store(secretOf(client, 'hello-world-client', validity(), false))
  await only('failed', /but the plugin mounts tls\.crt only, so the operator presents nothing; mount ca\.crt/)
  await store(own)

  const args = ['doctor', 'examples/cnpg-hello-world', '--kubeconfig', cluster.kubeconfigFile, '-o', 'json']
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/vcluster-plugin.js', ...args], {
    cwd: root,
  })
  const states = (JSON.parse(stdout) as { check: string; state: string }[]).map(
    ({ check, state }) => `${check} ${state}`,
  )
  t.same(states, [
    ...['Node ok', 'program ok', 'cluster ok', 'cluster clock ok', 'namespace ok', 'operator ok'],
    ...['Service ok', 'port ok'],
    ...['server certificate ok', 'client certificate ok'],
  ])
})
