import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { CertificateAuthority } from '../../sdk/engine/kube/certificate/certificate-authority.js'
import { type ApiServer, createApiServer } from '../api-server.js'
import { createAuthority } from '../listeners/certificates.js'
import type { ApiServerOptions } from '../server/options.js'

const authority = createAuthority('webhooks')
const caBundle = Buffer.from(authority.certificate).toString('base64')
/** The certificate of the authority is valid for this Service. */
const webhookService = { namespace: 'default', name: 'kubernetes' }

/** A webhook that denies everything, and the reviews that it got. */
async function denyingWebhook(t: Test, { certificate: cert, key } = authority.server('127.0.0.1')) {
  const paths: string[] = []
  const server = createServer({ cert, key }, (incoming, response) => {
    const chunks: Uint8Array[] = []
    incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    incoming.on('end', () => {
      paths.push(incoming.url ?? '')
      const { request } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { request: { uid: string } }
      const answer = { uid: request.uid, allowed: false, status: { message: 'no' } }
      const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }
      response.end(JSON.stringify(review))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
}

async function serverWith(t: Test, options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = await createApiServer(options)
  t.teardown(() => server.close())
  return server
}

async function send(server: ApiServer, method: string, path: string, body?: object) {
  const { status, body: bytes } = await server.handle({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    status,
    body: JSON.parse(Buffer.from(bytes as Uint8Array).toString('utf8')) as { message?: string },
  }
}

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
const configMaps = '/api/v1/namespaces/default/configmaps'

/** Configures a webhook for everything. */
async function configure(server: ApiServer, clientConfig: object): Promise<void> {
  const rules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }]
  const webhook = { name: 'a.example.com', rules, sideEffects: 'None', admissionReviewVersions: ['v1'] }
  const body = { metadata: { name: 'w' }, webhooks: [{ ...webhook, clientConfig }] }
  const { status } = await send(server, 'POST', configurations, body)
  if (status !== 201) throw new Error(`the configuration is rejected: ${status}`)
}

const create = (server: ApiServer) => send(server, 'POST', configMaps, { metadata: { name: 'a' } })

const failed = (why: string) =>
  `Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: ${why}`

void t.test('a webhook is called at the address of its Service', async (t) => {
  const { address, paths } = await denyingWebhook(t)
  const requested: object[] = []
  const server = await serverWith(t, {
    resolveService: (service) => {
      requested.push(service)
      return address
    },
  })
  await configure(server, { service: { ...webhookService, path: '/check' }, caBundle })
  t.match(await create(server), { status: 400, body: { message: /denied the request: no$/ } })
  t.strictSame(requested, [{ ...webhookService, port: 443 }])
  t.strictSame(paths, ['/check?timeout=10s'])
})

void t.test('a call of an unknown Service fails', async (t) => {
  const server = await serverWith(t)
  await configure(server, { service: webhookService, caBundle })
  const { status, body } = await create(server)
  t.strictSame([status, body.message], [500, failed('service "kubernetes" not found')])
})

void t.test('a call fails without a listener, and with a certificate of another authority', async (t) => {
  const { address } = await denyingWebhook(t)
  const other = Buffer.from(createAuthority('other').certificate).toString('base64')
  const cases = [
    ['127.0.0.1:1', caBundle, 'dial tcp 127.0.0.1:1: connect: connection refused'],
    [address, other, 'tls: failed to verify certificate: x509: certificate signed by unknown authority'],
  ] as const
  for (const [place, bundle, why] of cases) {
    const server = await serverWith(t)
    await configure(server, { url: `https://${place}/x`, caBundle: bundle })
    const { body } = await create(server)
    t.equal(body.message, failed(`Post "https://${place}/x?timeout=10s": ${why}`))
  }
})

void t.test('a call fails with a certificate for another name, and with one that has expired', async (t) => {
  const past = { notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('2020-02-01T00:00:00Z') }
  const future = { notBefore: new Date(), notAfter: new Date('2049-01-01T00:00:00Z') }
  const x509 = 'tls: failed to verify certificate: x509: certificate'
  const cases = [
    [
      future,
      { dnsNames: ['a.b.svc'], addresses: ['10.0.0.1'] },
      `${x509} is valid for 10.0.0.1, not 127.0.0.1`,
    ],
    [
      future,
      { dnsNames: ['a.b.svc'] },
      "tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
    [past, { addresses: ['127.0.0.1'] }, `${x509} has expired or is not yet valid`],
  ] as const
  for (const [validity, names, why] of cases) {
    const issuer = new CertificateAuthority('issuer', validity)
    const { address } = await denyingWebhook(t, issuer.issue({ subject: [], usage: 'server', ...names }))
    const server = await serverWith(t)
    const bundle = Buffer.from(issuer.certificate).toString('base64')
    await configure(server, { url: `https://${address}/x`, caBundle: bundle })
    const { body } = await create(server)
    t.equal(body.message, failed(`Post "https://${address}/x?timeout=10s": ${why}`))
  }
})

void t.test(
  'no webhook is called for configurations of webhooks, nor for writes of controllers',
  async (t) => {
    const { address, paths } = await denyingWebhook(t)
    const server = await serverWith(t)
    const owner = await send(server, 'POST', configMaps, { metadata: { name: 'owner' } })
    const { uid } = (owner.body as { metadata: { uid: string } }).metadata
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: `${uid}-gone` }]
    await configure(server, { url: `https://${address}`, caBundle })
    t.match(await create(server), { status: 400 })
    t.equal((await send(server, 'DELETE', `${configurations}/w`)).status, 200)
    await send(server, 'POST', configMaps, { metadata: { name: 'owned', ownerReferences } })
    await configure(server, { url: `https://${address}`, caBundle })
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    t.equal((await send(server, 'GET', `${configMaps}/owned`)).status, 404, 'the collector has deleted it')
    t.equal(paths.length, 1, 'only the first create was reviewed')
  },
)
