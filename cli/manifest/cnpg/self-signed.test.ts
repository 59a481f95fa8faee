import { createPrivateKey, X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import t from 'tap'
import { stringify } from 'yaml'
import type { CnpgPluginDescription } from '../../../sdk/cnpg/description.js'
import type { Secret } from '../../../sdk/engine/kube/builtin.js'
import { clientFindings, serverFindings } from '../../doctor/cnpg/certificate-findings.js'
import { cnpgObjects } from './cnpg-objects.js'
import { readPreviousSecrets } from './previous-secrets.js'
import { type SelfSignedSecrets, selfSignedSecrets } from './self-signed.js'

const dayMs = 86_400_000
const lifeMs = 90 * dayMs
const start = new Date('2030-01-01T00:00:00Z')
const at = { service: 'hello', namespace: 'cnpg-system' }
const after = (days: number) => new Date(start.getTime() + days * dayMs)
const made = (days = 0, previous?: SelfSignedSecrets) =>
  selfSignedSecrets({ ...at, now: after(days), lifeMs, previous })

const textOf = ({ data }: Secret, key: string) => Buffer.from(data?.[key] ?? '', 'base64').toString()
const certificates = (secret: Secret, key: string) =>
  (textOf(secret, key).match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  )
/** Whether one of the certificates in a key of a Secret has issued the leaf of another. */
const trusts = (trusting: Secret, key: string, leaf: Secret) =>
  certificates(trusting, key).some((one) => {
    const [own] = certificates(leaf, 'tls.crt')
    return own?.checkIssued(one) === true && own.verify(one.publicKey)
  })

void t.test('each side trusts the other, and the keys fit', async (t) => {
  const { server, client } = made()
  t.ok(trusts(server, 'tls.crt', server), 'the operator trusts tls.crt of the server')
  t.ok(trusts(client, 'ca.crt', client), 'the plugin trusts ca.crt of the client')
  t.notOk(trusts(server, 'tls.crt', client))
  const [leaf] = certificates(server, 'tls.crt')
  t.strictSame(leaf?.subjectAltName, 'DNS:hello, DNS:hello.cnpg-system.svc')
  for (const secret of [server, client])
    t.ok(certificates(secret, 'tls.crt')[0]?.checkPrivateKey(createPrivateKey(textOf(secret, 'tls.key'))))
})

void t.test('after a renewal the old and the new Secrets trust each other, twice in a row', async (t) => {
  let [old, days] = [made(), 0]
  for (let renewal = 1; renewal <= 3; renewal++) {
    days += 60
    const next = made(days, old)
    for (const key of ['server', 'client'] as const)
      t.not(textOf(next[key], 'tls.crt'), textOf(old[key], 'tls.crt'), 'a new certificate')
    t.ok(trusts(next.server, 'tls.crt', old.server), 'the plugin still serves the old certificate')
    t.ok(trusts(old.client, 'ca.crt', next.client), 'the plugin still has the old authorities')
    t.ok(trusts(next.server, 'tls.crt', next.server))
    t.ok(trusts(next.client, 'ca.crt', next.client))
    const dates = [...certificates(next.server, 'ca.crt'), ...certificates(next.client, 'ca.crt')]
    t.ok(dates.every(({ validTo }) => Date.parse(validTo) > after(days).getTime()))
    t.ok(dates.length <= 6, 'authorities that have expired are left out')
    old = next
  }
})

void t.test('a Secret whose next certificate has expired gets another', async (t) => {
  const renewed = made(400, made())
  const [leaf] = certificates(renewed.client, 'tls.crt')
  t.ok(Date.parse(leaf?.validTo ?? '') > after(400).getTime())
  t.equal(certificates(renewed.server, 'ca.crt').length, 1)
})

void t.test('doctor takes them, and says when to renew them', async (t) => {
  const { server, client } = made()
  const findings = (days: number) => [
    ...serverFindings(server, 'hello', after(days)),
    ...clientFindings(client, after(days)),
  ]
  t.match(findings(1), [{ state: 'ok' }, { state: 'ok' }])
  const message = /expires at .*, and nothing renews it; run vcluster-plugin manifest with --renew/
  t.match(findings(61), [{ state: 'warning', message }, { state: 'ok' }])
  t.match(findings(91), [{ state: 'failed', message: /expired/ }, { state: 'ok' }])
})

void t.test(
  'the manifest mounts what the plugin has to trust, and the API server trusts the webhooks',
  async (t) => {
    const description: CnpgPluginDescription = {
      kind: 'CnpgPluginDescription',
      name: 'hello.example.org',
      version: '1',
      stopDeadlineMs: 1000,
      has: { default: true, validate: true },
    }
    const secrets = made()
    const objects = cnpgObjects(description, { ...at, image: 'x', replicas: 1, memoryMiB: 200, secrets })
    const text = JSON.stringify(objects)
    t.notMatch(text, 'cert-manager')
    t.match(text, '{"name":"CLIENT_CA","value":"/client/ca.crt"}')
    t.match(text, '"items":[{"key":"ca.crt","path":"ca.crt"}]')
    t.equal(text.split(`"caBundle":"${secrets.server.data?.['ca.crt']}"`).length, 3)
    t.notMatch(text, '/client/tls.crt')
  },
)

void t.test('Secrets to renew are read from a list of kubectl', async (t) => {
  const secrets = made()
  const list = stringify({ apiVersion: 'v1', kind: 'List', items: Object.values(secrets) })
  const file = `${t.testdir()}/secrets.yaml`
  await writeFile(file, list)
  t.strictSame(await readPreviousSecrets(file, 'hello'), secrets)
  t.strictSame(await readPreviousSecrets('-', 'hello', Readable.from([list])), secrets)
  const rejected = (text: string, message: RegExp) =>
    t.rejects(readPreviousSecrets('-', 'hello', Readable.from([text])), { code: 'INVALID_MANIFEST', message })
  await rejected('kind: List\nitems: []\n', /it has no Secret hello-server-tls; pass what kubectl/)
  const bare = stringify({ ...secrets.server, data: {} })
  await rejected(bare, /has no certificate in ca\.crt, so --self-signed did not make it/)
  await rejected('a: [', /cannot renew the certificates in -: /)
  await t.rejects(readPreviousSecrets(`${file}.none`, 'hello'), {
    message: /cannot read the file \(ENOENT\)/,
  })
})
