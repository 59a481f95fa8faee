import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const dayMs = 86_400_000

interface Pair {
  certificate: x509.X509Certificate
  keys: webcrypto.CryptoKeyPair
}

/** The names of the files that {@link writePki} creates: `NAME.crt` and `NAME.key`. */
export type CertificateName = 'ca' | 'server' | 'admin' | 'controller-manager'

/**
 * Writes a temporary certificate authority, the certificates for a control plane, and the key pair for
 * service accounts.
 */
export async function writePki(dir: string): Promise<void> {
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: 'CN=test-control-plane',
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign),
    ],
  })
  const authority = { certificate, keys }
  await write(dir, 'ca', authority)
  await write(dir, 'server', await issue(authority, 'CN=kube-apiserver', [serverNames()]))
  await write(dir, 'admin', await issue(authority, 'CN=admin, O=system:masters'))
  await write(dir, 'controller-manager', await issue(authority, 'CN=system:kube-controller-manager'))
  const serviceAccounts = await newKeys()
  await writeFile(join(dir, 'sa.key'), await pem(serviceAccounts.privateKey, 'pkcs8', 'PRIVATE KEY'), {
    mode: 0o600,
  })
  await writeFile(join(dir, 'sa.pub'), await pem(serviceAccounts.publicKey, 'spki', 'PUBLIC KEY'))
}

const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

function validity(): { notBefore: Date; notAfter: Date; serialNumber: string } {
  const serialNumber = Buffer.from(webcrypto.getRandomValues(new Uint8Array(12))).toString('hex')
  return {
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 30 * dayMs),
    serialNumber: `01${serialNumber}`,
  }
}

function serverNames(): x509.Extension {
  return new x509.SubjectAlternativeNameExtension([
    { type: 'ip', value: '127.0.0.1' },
    { type: 'dns', value: 'localhost' },
    { type: 'dns', value: 'kubernetes.default.svc' },
  ])
}

async function issue(authority: Pair, subject: string, extensions: x509.Extension[] = []): Promise<Pair> {
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(),
    subject,
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        x509.ExtendedKeyUsage.clientAuth,
      ]),
      ...extensions,
    ],
  })
  return { certificate, keys }
}

async function write(dir: string, name: CertificateName, { certificate, keys }: Pair): Promise<void> {
  await writeFile(join(dir, `${name}.crt`), certificate.toString('pem'))
  await writeFile(join(dir, `${name}.key`), await pem(keys.privateKey, 'pkcs8', 'PRIVATE KEY'), {
    mode: 0o600,
  })
}

async function pem(key: webcrypto.CryptoKey, format: 'pkcs8' | 'spki', label: string): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey(format, key)).toString('base64')
  return `-----BEGIN ${label}-----\n${der.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`
}
