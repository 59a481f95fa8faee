// The plugin of examples/certificates in two vclusters of both generations, which share one namespace of the host.
import t, { type Test } from 'tap'
import { installCertManager, issueAll } from '../examples/certificates/cert-manager.fixture.js'
import { hostCertificates } from '../examples/certificates/host-certificate.js'
import { certificates } from '../examples/certificates/kinds.js'
import { key, spec } from '../examples/certificates/scenario.fixture.js'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { secrets } from '../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { prepareHost } from '../simulator/prepare-host.js'
import type { VClusterVersion } from '../simulator/vcluster-options.js'
import { type ApiServer, createApiServer, startVClusterProcess } from '../testing/index.js'
import { environment } from './plugin-folder.js'
import { startPlugin } from './plugin-process.js'
import { until } from './until.js'

t.setTimeout(600_000)

const namespace = 'shared'
const clientOf = (server: ApiServer) => createClient({ transport: inProcessTransport(server) })

async function listening(t: Test, name: string): Promise<ApiServer> {
  const server = await createApiServer({ name })
  t.teardown(() => server.close())
  await server.listen()
  return server
}

/** Starts the plugin next to a simulated vcluster process; answers the virtual cluster. */
async function startVCluster(
  t: Test,
  { name, version, host }: { name: string; version: VClusterVersion; host: ApiServer },
): Promise<Client> {
  const virtual = await listening(t, name)
  await prepareHost(clientOf(host), { vclusterName: name, targetNamespace: namespace, hasService: true })
  const vcluster = await startVClusterProcess({
    name,
    version,
    currentNamespace: namespace,
    waitsFor: ['certificates'],
    virtualKubeconfig: await virtual.kubeconfig(),
    hostKubeconfig: await host.kubeconfig(),
  })
  t.teardown(() => vcluster.stop())
  const plugin = startPlugin('examples/certificates/main.ts', {
    ...environment,
    VCLUSTER_PLUGIN_NAME: 'certificates',
    VCLUSTER_LISTEN_ADDRESS: vcluster.address,
  })
  t.teardown(() => plugin.end('SIGKILL'))
  return clientOf(virtual)
}

const namesOf = async (host: Client, resource: Resource<KubeObject>) =>
  (await host.list(resource, { namespace })).items.map(({ metadata }) => metadata.name).sort()

const isIssued = async (virtual: Client) => {
  const found = await virtual.get(certificates, key).catch(() => undefined)
  return found?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

void t.test('vclusters of both generations in one namespace do not touch each other', async (t) => {
  const hostServer = await listening(t, 'host')
  const host = clientOf(hostServer)
  await installCertManager(host)
  const [old, young] = await Promise.all([
    startVCluster(t, { name: 'old', version: '0.19', host: hostServer }),
    startVCluster(t, { name: 'young', version: '0.36', host: hostServer }),
  ])
  for (const virtual of [old, young]) {
    await until(() =>
      virtual.create(certificates, { metadata: key, spec }).then(
        () => true,
        () => false,
      ),
    )
  }
  const both = ['shop-x-default-x-old', 'shop-x-default-x-young']
  await until(async () => (await namesOf(host, hostCertificates as Resource<KubeObject>)).length === 2)
  t.same(await namesOf(host, hostCertificates as Resource<KubeObject>), both)
  await issueAll(host, namespace)
  for (const virtual of [old, young]) await until(() => isIssued(virtual))

  // The tenant of the old one copies the labels and annotations of the objects of the young one.
  const { metadata } = await host.get(secrets, { namespace, name: 'shop-x-default-x-young-tls' })
  const { labels = {}, annotations = {} } = metadata
  const forged = { ...key, name: 'forged', labels, annotations }
  await old.create(secrets, { metadata: forged })
  const kept = await host.get(secrets, { namespace, name: 'shop-x-default-x-young-tls' })
  await old.delete(certificates, key)
  await until(async () => (await namesOf(host, hostCertificates as Resource<KubeObject>)).length === 1)
  await until(async () => !(await namesOf(host, secrets as Resource<KubeObject>)).includes(`${both[0]}-tls`))
  t.same(await namesOf(host, hostCertificates as Resource<KubeObject>), [both[1]])
  t.same(await host.get(secrets, { namespace, name: 'shop-x-default-x-young-tls' }), kept)
  t.ok(await isIssued(young))
  t.ok(await old.get(secrets, { ...key, name: 'forged' }))
})
