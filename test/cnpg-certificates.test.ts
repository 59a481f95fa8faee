// Certificates of CNPG-I plugins: what works with the client of the operator, and a sentence for each that does not.
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import t, { type Test } from 'tap'
import { type SelfSignedSecrets, selfSignedSecrets } from '../cli/manifest/cnpg/self-signed.js'
import { PluginRuntime } from '../sdk/cnpg/plugin.js'
import { readCertificates } from '../sdk/cnpg/server/certificate-set.js'
import type { Secret } from '../sdk/engine/kube/builtin.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import {
  type CertificateFiles,
  clientFlags,
  noClient,
  serverFlags,
  startClient,
  writeCertificates,
} from './cnpg-process.js'

const dayMs = 86_400_000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Writes a certificate that is signed by itself, as the self-signed issuer of cert-manager makes it: no authority. */
async function writeSelfSigned(folder: string, name: string, dnsNames: readonly string[], toMs = dayMs) {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + toMs),
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.SubjectAlternativeNameExtension(dnsNames.map((value) => ({ type: 'dns', value }))),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  const [cert, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  writeFileSync(cert, certificate.toString('pem'))
  writeFileSync(keyFile, x509.PemConverter.encode(key, 'PRIVATE KEY'))
  return { cert, key: keyFile }
}

/** Loads a plugin with these files as the operator does, and answers the error, if any. */
async function load(
  t: Test,
  files: CertificateFiles,
  operator: Partial<CertificateFiles> = {},
  warnings: string[] = [],
): Promise<string | undefined> {
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) }
  const plugin = new PluginRuntime({
    name: 'hello.example.org',
    version: '0.1.0',
    logger,
    env: {},
    args: serverFlags('127.0.0.1:0', files),
  })
  const ended = plugin.start()
  while (!plugin.address) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5))])
  const client = startClient(clientFlags(plugin.address, { ...files, ...operator }))
  const { error } = await client.ask('load')
  await client.end()
  await plugin.stop()
  await ended
  t.pass(error ?? 'loaded')
  return error
}

void t.test('certificates with which the operator loads the plugin', { skip: noClient }, async (t) => {
  const folder = t.testdir()
  const byAuthority = writeCertificates(folder)
  t.equal(await load(t, byAuthority), undefined, 'each by an authority')
  const server = await writeSelfSigned(folder, 'self-server', ['hello-world'])
  const client = await writeSelfSigned(folder, 'self-client', ['hello-world-client'])
  const selfSigned = {
    ...byAuthority,
    serverCert: server.cert,
    serverKey: server.key,
    clientCert: client.cert,
    clientKey: client.key,
    clientCa: client.cert,
  }
  t.equal(await load(t, selfSigned), undefined, 'each signed by itself, without an authority')
  const bundle = join(folder, 'bundle.crt')
  writeFileSync(bundle, readFileSync(byAuthority.clientCa, 'utf8') + readFileSync(client.cert, 'utf8'))
  const both = { ...selfSigned, clientCa: bundle }
  t.equal(await load(t, both), undefined, 'an old and a new authority of the client: the new one')
  const old = { clientCert: byAuthority.clientCert, clientKey: byAuthority.clientKey }
  t.equal(await load(t, both, old), undefined, 'and the old one')
})

void t.test('certificates with which the operator does not', { skip: noClient }, async (t) => {
  const folder = t.testdir()
  const files = writeCertificates(folder)
  const other = writeCertificates(mkdtempSync(join(tmpdir(), 'cnpg-')), ['another-name'])
  const warnings: string[] = []
  const told = async (used: CertificateFiles, operator: Partial<CertificateFiles>, error: RegExp) => {
    t.match(await load(t, used, operator, warnings), error)
    t.equal(warnings.length, 1, 'the operator tries several times, and one line is enough')
    return warnings.pop() ?? ''
  }
  const pairOf = ({ clientCert, clientKey }: CertificateFiles) => ({ clientCert, clientKey })
  t.match(
    await told(files, pairOf(other), /code = Unavailable/),
    /^a client was refused: no authority in .*client-ca\.crt has issued its certificate \(\w+\)\. Add the issuer of tls\.crt/,
    'the authority has the same name, so the operator presents its certificate',
  )
  const foreign = await writeSelfSigned(folder, 'foreign', ['operator'])
  t.match(
    await told(files, { clientCert: foreign.cert, clientKey: foreign.key }, /code = Unavailable/),
    /^a client was refused: it presented no certificate\. The operator presents its own only if the issuer of it is in .*client-ca\.crt: add/,
  )
  t.match(
    await told(other, { serverCert: files.serverCert }, /certificate/),
    /^a client rejects the certificate of the plugin: tls\.crt of the Secret in cnpg\.io\/pluginServerSecret must be .*, with/,
  )
  const expired = await writeSelfSigned(folder, 'expired', ['operator'], -dayMs / 2)
  const both = join(folder, 'both.crt')
  writeFileSync(both, readFileSync(files.clientCa, 'utf8') + readFileSync(expired.cert, 'utf8'))
  const old = { clientCert: expired.cert, clientKey: expired.key }
  t.match(
    await told({ ...files, clientCa: both }, old, /code = Unavailable/),
    /^a client was refused: its certificate has expired\. Renew the Secret in cnpg\.io\/pluginClientSecret$/,
  )
})

void t.test(
  'certificates of manifest --self-signed, also while they are renewed',
  { skip: noClient },
  async (t) => {
    const folder = t.testdir({ old: {}, new: {} })
    const at = { service: 'hello-world', namespace: 'cnpg-system' }
    const old = selfSignedSecrets({ ...at, now: new Date(Date.now() - dayMs) })
    const next = selfSignedSecrets({ ...at, now: new Date(), previous: old })
    const before = writeSecrets(join(folder, 'old'), old)
    const after = writeSecrets(join(folder, 'new'), next)
    t.equal(await load(t, before), undefined)
    t.equal(
      await load(t, before, after),
      undefined,
      'the operator has read the new Secrets, the plugin has not',
    )
    t.equal(await load(t, after), undefined)
    const unrelated = writeSecrets(join(folder, 'new'), selfSignedSecrets({ ...at, now: new Date() }))
    t.match(await load(t, before, unrelated), /certificate/, 'without the old Secrets there is no overlap')
  },
)

/** The files of both Secrets as they are mounted. */
function writeSecrets(folder: string, { server, client }: SelfSignedSecrets): CertificateFiles {
  const write = ({ metadata, data }: Secret, key: string) => {
    const file = join(folder, `${metadata.name}-${key}`)
    writeFileSync(file, Buffer.from(data?.[key] ?? '', 'base64'))
    return file
  }
  return {
    serverCert: write(server, 'tls.crt'),
    serverKey: write(server, 'tls.key'),
    clientCert: write(client, 'tls.crt'),
    clientKey: write(client, 'tls.key'),
    clientCa: write(client, 'ca.crt'),
    serverCa: '',
  }
}

void t.test('each mistake in the files is a sentence with the file and the cure', async (t) => {
  const folder = t.testdir()
  const files = writeCertificates(folder)
  const tls = { certificate: files.serverCert, key: files.serverKey, clientAuthority: files.clientCa }
  const read = (changed: Partial<typeof tls>, laterMs = 0) =>
    readCertificates({ ...tls, ...changed }, new Date(Date.now() + laterMs))
  const text = join(folder, 'text.pem')
  writeFileSync(text, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  const missing = join(folder, 'missing.pem')
  const rejected: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
    [() => read({}, dayMs), /^the certificate in .*server\.crt expired at .*: renew it$/],
    [() => read({}, -dayMs), /^the certificate in .*server\.crt is not valid before .*: compare the clocks$/],
    [() => read({ certificate: text }), /^.*text\.pem holds a certificate that cannot be read$/],
    [() => read({ certificate: missing }), /^.*missing\.pem cannot be read \(ENOENT\): mount the Secret/],
    [
      () => read({ key: files.clientKey }),
      /^the key in .*client\.key is not that of the certificate in .*server\.crt; mount both from one Secret$/,
    ],
    [() => read({ key: text }), /^.*text\.pem holds no private key in PEM$/],
    [() => read({ clientAuthority: files.serverKey }), /^.*server\.key holds no certificate in PEM; mount/],
  ]
  for (const [reading, message] of rejected)
    await t.rejects(reading(), { code: 'INVALID_CERTIFICATE', message })
  const server = await writeSelfSigned(folder, 'long', ['hello-world'])
  await t.rejects(read({ certificate: server.cert, key: server.key }, dayMs / 2), {
    message: /^all certificates in .*client-ca\.crt have expired, one at .*: renew that of the operator$/,
  })
  t.match(await read({ clientAuthority: files.clientCert }), {
    warnings: [/client\.crt holds only certificates that "CN=clients" has issued.*ca\.crt of the Secret/],
  })
  t.same((await read({})).warnings, [])
})
