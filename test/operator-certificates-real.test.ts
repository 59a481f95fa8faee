// Tests the messages about a certificate of webhooks that does not fit, on a real API server: that of the API server to
// its user, and that of the operator to its administrator.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createClient } from '../sdk/engine/client/create-client.js'
import { customResourceDefinitions } from '../sdk/engine/kube/builtin.js'
import { CertificateAuthority } from '../sdk/engine/kube/certificate/certificate-authority.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { validatingWebhookConfigurations } from '../sdk/engine/webhook/configuration/webhook-configuration.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import { createInternalOperator } from '../sdk/operator/operator-runtime.js'
import { caches } from '../sdk/operator/webhook/caches.fixture.js'
import { webhookConfigurations } from '../sdk/operator/webhook/webhook-configurations.js'
import { freePort } from '../simulator/free-ports.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets()
const name = 'cache-operator'
const long = { notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('2049-01-01T00:00:00Z') }
const short = { ...long, notAfter: new Date('2020-02-01T00:00:00Z') }
const loopback = { addresses: ['127.0.0.1'] }

void t.test('a certificate of webhooks that does not fit', { skip, timeout: 600_000 }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const kubeconfig = await loadKubeconfig({ file: cluster.kubeconfigFile })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  const { conversion: _, ...spec } = crdOf(caches).spec
  const versions = spec.versions.filter(({ storage }) => storage)
  await client.create(customResourceDefinitions, { ...crdOf(caches), spec: { ...spec, versions } })

  /** The warnings of an operator with a certificate, and the refusal of a create. */
  const failure = async (
    validity: typeof long,
    names: Partial<Parameters<CertificateAuthority['issue']>[0]>,
    bundle?: string,
  ) => {
    const authority = new CertificateAuthority('webhooks', validity)
    const { certificate, key } = authority.issue({ subject: [], usage: 'server', ...names })
    const folder = t.testdir()
    await writeFile(join(folder, 'tls.crt'), certificate)
    await writeFile(join(folder, 'tls.key'), key)
    const port = await freePort()
    const said: string[] = []
    const logger = {
      ...silentLogger,
      warn: (_fields: object, message: string) => void said.push(message),
      child: () => logger,
    }
    const operator = createInternalOperator({
      name,
      logger,
      openClusters: async () => ({ transports: new Map([['main', createTransport({ kubeconfig })]]) }),
      webhooks: { kinds: [caches], certificate: { folder }, host: '127.0.0.1', port, drainMs: 0 },
    })
    operator.register(controller(caches, { reconcile: () => {} }))
    const ended = operator.start()
    const [configuration] = webhookConfigurations({
      name,
      namespace: 'default',
      kinds: [caches],
      endpoint: { url: `https://127.0.0.1:${port}` },
      authorities: [bundle ?? authority.certificate],
    }).filter(({ kind }) => kind === validatingWebhookConfigurations.kind)
    if (!configuration) throw new Error('the kind has a validation')
    await client.create(validatingWebhookConfigurations, configuration as never)
    let refusal = ''
    const object = { metadata: { namespace: 'default', name: 'a' }, spec: { store: { memory: {} } } }
    await until(async () => {
      const create = client.create(caches, object as KubeObject as never, { dryRun: true })
      refusal = await create.then(String, ({ message }) => message)
      return /x509/.test(refusal) && said.length > 0
    })
    await client.delete(validatingWebhookConfigurations, { namespace: '', name })
    await operator.stop()
    await ended
    return { said, refusal }
  }

  const { certificate: other } = new CertificateAuthority('other', long)
  const wrongBundle = await failure(long, loopback, other)
  t.match(wrongBundle.refusal, /failed calling webhook .*x509: certificate signed by unknown authority/)
  t.match(wrongBundle.said, [
    /^a client refuses the certificate of the webhooks: put its authority \(CN=webhooks\)/,
  ])

  const otherName = await failure(long, { dnsNames: ['other.default.svc'] })
  t.match(
    otherName.refusal,
    /x509: cannot validate certificate for 127\.0\.0\.1 because it doesn't contain any IP/,
  )
  t.match(otherName.said, [/^a client refuses the certificate .*this one has DNS:other\.default\.svc\)$/])

  const expired = await failure(short, loopback)
  t.match(expired.refusal, /x509: certificate has expired or is not yet valid/)
  t.match(
    expired.said[0],
    /^the certificate of the webhooks has expired on 2020-02-01T00:00:00\.000Z: .*renew tls\.crt/,
  )
})
