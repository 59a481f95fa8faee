// Tests when random text, keys and certificates of a chart are drawn again.
import { X509Certificate } from 'node:crypto'
import t from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps, deployments, secrets } from '../../../engine/kube/builtin.js'
import { annotationNames } from '../../annotations/annotation-reader.js'
import { chartOfFiles } from '../../chart/chart-of-files.js'
import { seedKey, seedType } from '../../release/seed-secret.js'
import { engineRenderer } from '../../render/engine/engine-renderer.js'
import { create, edit, eventsOf, find, history, start, until } from '../reconciled.fixture.js'

const engine = process.env.HELM_ENGINE ?? ''
const skip = engine === '' && 'HELM_ENGINE is not set: export HELM_ENGINE=$(npm run --silent helm-engine)'
// RSA keys, which genCA draws, would take most of the time of the tests.
const template = `{{- $ca := genCAWithKey "ca" 365 (genPrivateKey "ecdsa") }}
{{- $cert := genSignedCertWithKey "web" nil (list "web") 365 $ca (genPrivateKey "ecdsa") }}
apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}}
data: {tls.crt: {{ $cert.Cert | b64enc }}, tls.key: {{ $cert.Key | b64enc }}}
---
apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-password}
stringData: {password: {{ randAlphaNum 12 }}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {text: {{ .Values.text | quote }}, ca: {{ $ca.Cert | b64enc }}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {rollme: {{ randAlphaNum 5 | quote }}, at: {{ now | unixEpoch | quote }}}}
    spec: {containers: [{name: a, image: a}]}
`
const file = (name: string, text: string) => ({ name, data: Buffer.from(text) })
const chart = await chartOfFiles(
  [
    file('Chart.yaml', 'apiVersion: v2\nname: certified\nversion: 1.0.0\n'),
    file('templates/a.yaml', template),
  ],
  'certified',
)
/** All tests share the engine. */
const shared = skip === false ? { chart, renderer: await engineRenderer({ engine }) } : { chart }
t.teardown(() => 'renderer' in shared && shared.renderer.close())
const decoded = (text = '') => Buffer.from(text, 'base64').toString()

async function drawn(test: TestOperator) {
  const [tls, password, configMap, deployment] = [
    await find(test, secrets),
    await find(test, secrets, 'hello-password'),
    await find(test, configMaps),
    await find(test, deployments),
  ]
  return {
    certificate: decoded(tls?.data?.['tls.crt']),
    ca: decoded(configMap?.data?.ca),
    password: decoded(password?.data?.password),
    annotations: deployment?.spec?.template.metadata?.annotations ?? {},
  }
}

const isDeployed = (test: TestOperator, revision: number) =>
  until(async () => (await history(test)).at(-1) === `${revision} deployed`)

void t.test('what is random stays, but for what has to be drawn again', { skip }, async (t) => {
  const test = await start(t, { ...shared, reconcilePeriodMs: 0 })
  await create(test, { text: 'a' })
  await isDeployed(test, 1)
  const first = await drawn(test)
  t.ok(new X509Certificate(first.certificate).checkIssued(new X509Certificate(first.ca)))

  await edit(test, { spec: { text: 'b' } })
  await isDeployed(test, 2)
  const second = await drawn(test)
  t.match(second, { certificate: first.certificate, ca: first.ca, password: first.password })
  t.not(second.annotations.rollme, first.annotations.rollme, 'Pods are restarted with an upgrade, as by helm')

  await edit(test, { metadata: { labels: { run: 'again' } } })
  await test.settled()
  t.strictSame(await drawn(test), second, 'and not without one')

  await test.client.delete(secrets, { namespace: 'default', name: 'hello-password' })
  await isDeployed(test, 3)
  const third = await drawn(test)
  t.match(third.password, /^\w{12}$/)
  t.not(third.password, first.password, 'a Secret that is gone gets another password')
  t.match(third, { certificate: first.certificate, annotations: second.annotations })

  await test.client.delete(secrets, { namespace: 'default', name: 'hello' })
  await isDeployed(test, 4)
  const fourth = await drawn(test)
  t.not(fourth.certificate, first.certificate)
  t.ok(
    new X509Certificate(fourth.certificate).checkIssued(new X509Certificate(fourth.ca)),
    'and its authority',
  )
  t.equal(fourth.password, third.password)
  await test.settled()
  t.equal((await history(test)).length, 4)
  const told = await eventsOf(test, 'RandomValuesRenewed')
  t.match(told.sort(), [
    /^hello: random values are drawn again, because Secret hello was deleted: .*Secret hello: data\.tls\.crt, Secret hello: data\.tls\.key; the first certificate is valid until 20\d\d-/,
    /^hello: random values are drawn again, because Secret hello-password was deleted: Secret hello-password: stringData\.password$/,
    /^hello: random values are drawn again, because the release is upgraded: Deployment hello: spec\.template\.metadata\.annotations\.at, .*\.rollme$/,
  ])
  const secretsOf = ({ certificate, password }: typeof fourth) =>
    [certificate, password].map((one) => Buffer.from(one).toString('base64'))
  for (const one of [...secretsOf(fourth), fourth.password]) t.notOk(told.join().includes(one))
})

void t.test('random values are drawn again when the annotation for it changes', { skip }, async (t) => {
  const test = await start(t, { ...shared, reconcilePeriodMs: 0, annotations: annotationNames })
  const ask = (text: string) => edit(test, { metadata: { annotations: { [annotationNames.renew]: text } } })
  await create(test, { text: 'a' }, { [annotationNames.renew]: '1' })
  await isDeployed(test, 1)
  const first = await drawn(test)
  await edit(test, { metadata: { labels: { run: 'again' } } })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'], 'an installation has new values anyway')
  await ask('2')
  await isDeployed(test, 2)
  const second = await drawn(test)
  for (const part of ['certificate', 'ca', 'password'] as const) t.not(second[part], first[part], part)
  t.ok(new X509Certificate(second.certificate).checkIssued(new X509Certificate(second.ca)))
  await edit(test, { metadata: { labels: { run: 'more' } } })
  await test.settled()
  t.strictSame(await drawn(test), second, 'once')
  t.match(await eventsOf(test, 'RandomValuesRenewed'), [
    /because the annotation for renew asks for it: ConfigMap hello: data\.ca, /,
  ])
  await edit(test, { spec: { text: 'b' } })
  await isDeployed(test, 3)
  t.match(await drawn(test), { certificate: second.certificate, password: second.password })
})

void t.test('another version of a chart restarts Pods as other values do', { skip }, async (t) => {
  const versioned = (version: string) =>
    chartOfFiles(
      [
        file('Chart.yaml', `apiVersion: v2\nname: certified\nversion: ${version}\n`),
        file('templates/a.yaml', template),
      ],
      'certified',
    )
  const test = await start(t, { ...shared, chart: await versioned('1.0.0'), reconcilePeriodMs: 0 })
  await create(test, { text: 'a' })
  await isDeployed(test, 1)
  const first = await drawn(test)
  await test.stop()
  const next = { ...shared, chart: await versioned('1.0.1'), reconcilePeriodMs: 0 }
  const later = await start(t, next, { servers: { main: test.server }, definitions: [] })
  await isDeployed(later, 2)
  const second = await drawn(later)
  t.match(second, { certificate: first.certificate, password: first.password })
  t.not(second.annotations.rollme, first.annotations.rollme)
})

void t.test(
  'a certificate of a chart is renewed before it expires, and a password stays',
  { skip },
  async (t) => {
    const test = await start(t, { ...shared, reconcilePeriodMs: 0 })
    const now = Date.now() - 340 * 24 * 3_600_000
    await test.client.create(secrets, {
      metadata: seedKey({ namespace: 'default', name: 'hello' }),
      type: seedType,
      data: { seed: 'c2VlZA==', now: Buffer.from(String(now)).toString('base64') },
    })
    await create(test, { text: 'a' })
    await isDeployed(test, 1)
    const password = (await drawn(test)).password
    await edit(test, { metadata: { labels: { run: 'again' } } })
    await isDeployed(test, 2)
    const { certificate, ca, ...renewed } = await drawn(test)
    const read = new X509Certificate(certificate)
    t.ok(Date.parse(read.validTo) > Date.now() + 360 * 24 * 3_600_000, read.validTo)
    t.ok(read.checkIssued(new X509Certificate(ca)))
    t.equal(renewed.password, password)
    await edit(test, { metadata: { labels: { run: 'more' } } })
    await test.settled()
    t.strictSame(await history(test), ['1 superseded', '2 deployed'])
  },
)
