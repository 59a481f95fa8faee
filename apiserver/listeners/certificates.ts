import {
  CertificateAuthority,
  commonName,
  type KeyPair,
  type NamePart,
  organization,
} from '../../sdk/engine/kube/certificate/certificate-authority.js'

/** The certificate authority of one server: signs the certificates of the server and of its clients; see RFC 5280. */
export interface Authority {
  /** The authority's own certificate, PEM. */
  readonly certificate: string
  /** A certificate for TLS servers on the loopback interface and at `host`. */
  server(host: string): KeyPair
  /** A client certificate: the common name is the user, organizations are the groups. */
  client(user: string, groups: readonly string[]): KeyPair
}

const validDays = 365
const dnsNames = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']

/** Creates an authority; its key exists only in this process. */
export function createAuthority(name: string): Authority {
  const validity = { notBefore: daysFromNow(-1), notAfter: daysFromNow(validDays) }
  const authority = new CertificateAuthority(`${name} authority`, validity)
  return {
    certificate: authority.certificate,
    server(host) {
      const isAddress = /^[\d.]+$/.test(host) || host.includes(':')
      return authority.issue({
        subject: [[commonName, 'kube-apiserver']],
        usage: 'server',
        dnsNames: isAddress ? dnsNames : [...dnsNames, host],
        addresses: ['127.0.0.1', '::1', ...(isAddress ? [host] : [])],
      })
    },
    client(user, groups) {
      const organizations = groups.map((group): NamePart => [organization, group])
      return authority.issue({ subject: [...organizations, [commonName, user]], usage: 'client' })
    },
  }
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * 86_400_000)
}
