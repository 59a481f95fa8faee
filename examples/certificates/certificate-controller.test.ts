import t, { type Test } from 'tap'
import { secrets, silentLogger } from 'vcluster-plugin-sdk'
import {
  createApiServer,
  exhaust,
  type TestPlugin,
  type TestPluginOptions,
  testPlugin,
} from 'vcluster-plugin-sdk/testing'
import { installCertManager, issueAll } from './cert-manager.fixture.js'
import { hostCertificates } from './host-certificate.js'
import { certificates } from './kinds.js'
import { register } from './register.js'
import { key, scenario, spec } from './scenario.fixture.js'

const hostKey = { namespace: 'vcluster-vc', name: 'shop-x-default-x-vc' }
const issuedKey = { ...hostKey, name: `${hostKey.name}-tls` }
const secretKey = { ...key, name: spec.secretName }
const merge = (body: object) => ({ type: 'merge', body }) as const
const textOf = (data: string | undefined) => Buffer.from(data ?? '', 'base64').toString()

/** A host cluster with cert-manager. */
async function hostWithCertManager() {
  const { host, hostServer, stop } = await testPlugin(() => {}, { logger: silentLogger })
  await installCertManager(host)
  await stop()
  return hostServer
}

async function started(t: Test, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const hostServer = options.hostServer ?? (await hostWithCertManager())
  const test = await testPlugin(register, { ...options, hostServer })
  t.teardown(() => test.stop())
  return test
}

/** Asks for a certificate, and lets cert-manager issue it. */
async function issued({ virtual, host, targetNamespace, settled }: TestPlugin): Promise<void> {
  await virtual.create(certificates, { metadata: key, spec })
  await settled()
  await issueAll(host, targetNamespace)
  await settled()
}

const conditionsOf = async ({ virtual }: TestPlugin) =>
  (await virtual.get(certificates, key)).status?.conditions?.map(({ type, status, reason }) => [
    type,
    status,
    reason,
  ])

void t.test('a Certificate is requested on the host, and its Secret comes back', async (t) => {
  const test = await started(t, { config: { issuer: { name: 'public', kind: 'ClusterIssuer' } } })
  await test.virtual.create(certificates, { metadata: key, spec })
  await test.settled()
  t.same(await conditionsOf(test), [['Ready', 'False', 'WaitingForIssuer']])
  const asked = await test.host.get(hostCertificates, hostKey)
  t.match(asked.spec, { dnsNames: spec.dnsNames, issuerRef: { name: 'public', kind: 'ClusterIssuer' } })
  t.match(asked.metadata.ownerReferences, [{ kind: 'Service', name: 'vc' }])
  await issueAll(test.host, test.targetNamespace)
  await test.settled()
  const secret = await test.virtual.get(secrets, secretKey)
  t.equal(textOf(secret.data?.['tls.crt']), 'shop.my.domain signed')
  t.match(secret.metadata.ownerReferences, [{ kind: 'Certificate', name: 'shop', controller: true }])
  t.same(await conditionsOf(test), [['Ready', 'True', 'Issued']])
  t.equal((await test.virtual.get(certificates, key)).status?.notAfter, '2030-01-01T00:00:00Z')
})

void t.test('a renewed certificate is copied, and a change of the copy is undone', async (t) => {
  const test = await started(t)
  await issued(test)
  const content = async () => textOf((await test.virtual.get(secrets, secretKey)).data?.['tls.crt'])
  await issueAll(test.host, test.targetNamespace, 'renewed')
  await test.settled()
  t.equal(await content(), 'shop.my.domain renewed')
  await test.virtual.patch(secrets, secretKey, merge({ stringData: { 'tls.crt': 'mine' } }))
  await test.settled()
  t.equal(await content(), 'shop.my.domain renewed')
})

void t.test('a deleted Certificate leaves nothing on the host', async (t) => {
  const test = await started(t)
  await issued(test)
  await test.virtual.delete(certificates, key)
  await test.settled()
  await t.rejects(test.virtual.get(certificates, key), { code: 404 })
  await t.rejects(test.host.get(hostCertificates, hostKey), { code: 404 })
  await t.rejects(test.host.get(secrets, issuedKey), { code: 404 })
})

void t.test('a Secret of the user is not overwritten', async (t) => {
  const test = await started(t, { logger: silentLogger })
  await test.virtual.create(secrets, { metadata: secretKey, stringData: { mine: 'yes' } })
  await issued(test)
  t.same(Object.keys((await test.virtual.get(secrets, secretKey)).data ?? {}), ['mine'])
  t.same((await conditionsOf(test))?.at(-1), ['Stalled', 'True', 'NameConflict'])
  await test.virtual.delete(secrets, secretKey)
  await test.settled()
  t.match(await conditionsOf(test), [['Ready', 'True', 'Issued']])
})

void t.test('forged labels and annotations in the virtual cluster change nothing on the host', async (t) => {
  const test = await started(t, { logger: silentLogger })
  await issued(test)
  const { metadata } = await test.virtual.get(certificates, key)
  const forged = {
    labels: { 'tls.my.domain/owner-uid': metadata.uid ?? '' },
    annotations: {
      'tls.my.domain/owner': 'virtual/default/other',
      'tls.my.domain/owner-kind': 'certificates.tls.my.domain',
      'tls.my.domain/certificate': 'default/other',
    },
  }
  const before = await test.host.get(secrets, issuedKey)
  await test.virtual.create(secrets, { metadata: { ...key, name: 'mine', ...forged } })
  await test.virtual.patch(secrets, secretKey, merge({ metadata: forged }))
  await test.settled()
  t.same(await test.host.get(secrets, issuedKey), before)
  t.ok(await test.virtual.get(secrets, { ...key, name: 'mine' }))
})

/** Two vclusters whose host objects are in one namespace. */
async function startedPair(t: Test, labelMode: 'hashed' | 'reserved') {
  const shared = { hostServer: await hostWithCertManager(), targetNamespace: 'shared', labelMode }
  const first = await started(t, { ...shared, vclusterName: 'one' })
  const virtualServer = await createApiServer({ name: 'virtual two' })
  const second = await started(t, { ...shared, vclusterName: 'two', virtualServer })
  return { first, second, settled: () => Promise.all([first.settled(), second.settled()]) }
}

void t.test("two vclusters in one namespace do not touch each other's objects", async (t) => {
  for (const labelMode of ['hashed', 'reserved'] as const) {
    const { first, second, settled } = await startedPair(t, labelMode)
    await first.virtual.create(certificates, { metadata: key, spec })
    await second.virtual.create(certificates, { metadata: key, spec })
    await settled()
    await issueAll(first.host, 'shared')
    await settled()
    await first.virtual.delete(certificates, key)
    await settled()
    const { items } = await first.host.list(secrets, { namespace: 'shared' })
    const names = items.map(({ metadata }) => metadata.name)
    t.same(names, ['shop-x-default-x-two-tls'], labelMode)
    t.same(await conditionsOf(second), [['Ready', 'True', 'Issued']], labelMode)
  }
})

void t.test('it survives a crash at every write, and old caches', async (t) => {
  const crashes = await exhaust(scenario, { faults: ['crashes'] })
  t.same(crashes.missed, [], 'every fault was injected')
  t.comment(`${crashes.writes.length} writes, ${crashes.runs} crashes`)
  await t.resolves(exhaust(scenario, { faults: ['late-events'] }))
})
