import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { ServerCredentials } from '@grpc/grpc-js'
import type { CertificateSet } from './certificate-set.js'

/** The operator speaks TLS 1.3 only. */
const minVersion = 'TLSv1.3'

/** Mutual TLS whose certificates can be replaced while the server runs; open connections stay. */
export class TlsCredentials extends ServerCredentials {
  constructor(set: CertificateSet) {
    super({ requestCert: true, rejectUnauthorized: true, minVersion }, contextOf(set))
  }

  /** Serves other certificates from now on. Throws, and changes nothing, if they cannot be served. */
  replace(set: CertificateSet): void {
    createSecureContext(contextOf(set))
    this.updateSecureContextOptions(contextOf(set))
  }

  _equals(other: ServerCredentials): boolean {
    return this === other
  }
}

/** All options each time: a context without `minVersion` would allow TLS 1.2. */
function contextOf({ certificate, key, clientAuthority }: CertificateSet): SecureContextOptions {
  return { cert: certificate, key, ca: clientAuthority, minVersion }
}
