import { webcrypto } from 'node:crypto'

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string
  readonly key: string
}

/** Signs certificates that one server trusts and is trusted by. */
export interface Authority {
  /** The authority's own certificate, PEM. */
  readonly certificate: string
  /** A certificate for TLS servers on the loopback interface. */
  server(): Promise<KeyPair>
  /** A certificate that says who a client is: the common name is the user, organizations are the groups. */
  client(user: string, groups: readonly string[]): Promise<KeyPair>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const VALID_DAYS = 365

/** What differs from certificate to certificate. */
interface Issue {
  readonly subject: readonly Record<string, string[]>[]
  readonly usage: 'serverAuth' | 'clientAuth'
  readonly loopback?: boolean
}

/** Makes a new authority; its key exists only in this process. */
export async function createAuthority(name: string): Promise<Authority> {
  // The library's containers need this polyfill, and it takes a while to load: only who makes certificates pays.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const validity = { notBefore: daysFromNow(-1), notAfter: daysFromNow(VALID_DAYS) }
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [`${name} authority`] }],
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })

  const issue = async ({ subject, usage, loopback = false }: Issue): Promise<KeyPair> => {
    const subjectKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
    const certificate = await x509.X509CertificateGenerator.create({
      subject: subject.map((part) => ({ ...part })),
      issuer: root.subject,
      publicKey: subjectKeys.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...validity,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[usage]]),
        ...(loopback ? [new x509.SubjectAlternativeNameExtension(LOOPBACK_NAMES)] : []),
      ],
    })
    const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', subjectKeys.privateKey))
    return { certificate: certificate.toString('pem'), key: pem('PRIVATE KEY', key) }
  }

  return {
    certificate: root.toString('pem'),
    server: () => issue({ subject: [{ CN: ['kube-apiserver'] }], usage: 'serverAuth', loopback: true }),
    client: (user, groups) => {
      const organizations = groups.map((group) => ({ O: [group] }))
      return issue({ subject: [...organizations, { CN: [user] }], usage: 'clientAuth' })
    },
  }
}

const LOOPBACK_NAMES = [
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
  { type: 'dns', value: 'localhost' },
  { type: 'dns', value: 'kubernetes' },
  { type: 'dns', value: 'kubernetes.default.svc' },
] as const

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * 86_400_000)
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
