import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { PluginError } from '../../engine/kube/error.js'
import type { TlsFiles } from './server-options.js'

/** The texts of {@link TlsFiles}, checked. */
export interface CertificateSet {
  readonly certificate: string
  readonly key: string
  readonly clientAuthority: string
  /** Log messages about problems that do not prevent serving. */
  readonly warnings: readonly string[]
}

/** Reads and checks the three files. Throws `PluginError` `INVALID_CERTIFICATE`, which names the file and the cure. */
export async function readCertificates(files: TlsFiles, now: Date): Promise<CertificateSet> {
  return checkCertificates(await Promise.all(pathsOf(files).map(readPem)), files, now)
}

/** The paths of the certificate, the key and the authority of clients. */
export const pathsOf = ({ certificate, key, clientAuthority }: TlsFiles): string[] => [
  certificate,
  key,
  clientAuthority,
]

/** Checks the texts of the files, in the order of {@link pathsOf}. Throws as {@link readCertificates}. */
export function checkCertificates(texts: readonly string[], files: TlsFiles, now: Date): CertificateSet {
  const [certificate = '', key = '', clientAuthority = ''] = texts
  const [leaf] = parseCertificates(certificate, files.certificate)
  if (!leaf)
    throw invalidCertificateError(
      `${files.certificate} holds no certificate in PEM; mount tls.crt of the Secret there`,
    )
  checkServer(leaf, files.certificate, now)
  checkKey(leaf, key, files)
  const authorities = parseCertificates(clientAuthority, files.clientAuthority)
  if (authorities.length === 0)
    throw invalidCertificateError(
      `${files.clientAuthority} holds no certificate in PEM; mount ca.crt of the Secret there`,
    )
  checkAuthorities(authorities, files.clientAuthority, now)
  return {
    certificate,
    key,
    clientAuthority,
    warnings: authorityWarnings(authorities, files.clientAuthority),
  }
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw invalidCertificateError(
      `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}): mount the Secret of the certificate there`,
      cause,
    )
  }
}

function parseCertificates(text: string, file: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch (cause) {
    throw invalidCertificateError(`${file} holds a certificate that cannot be read`, cause)
  }
}

function checkServer(leaf: X509Certificate, file: string, now: Date): void {
  if (Date.parse(leaf.validTo) <= now.getTime())
    throw invalidCertificateError(`the certificate in ${file} expired at ${leaf.validTo}: renew it`)
  if (Date.parse(leaf.validFrom) > now.getTime())
    throw invalidCertificateError(
      `the certificate in ${file} is not valid before ${leaf.validFrom}: compare the clocks`,
    )
  if (!leaf.subjectAltName)
    throw invalidCertificateError(
      `the certificate in ${file} has no subjectAltName, and the operator ignores its common name: issue one with the DNS name of the Service`,
    )
}

function checkKey(leaf: X509Certificate, key: string, files: TlsFiles): void {
  try {
    if (leaf.checkPrivateKey(createPrivateKey(key))) return
  } catch (cause) {
    throw invalidCertificateError(`${files.key} holds no private key in PEM`, cause)
  }
  throw invalidCertificateError(
    `the key in ${files.key} is not that of the certificate in ${files.certificate}; mount both from one Secret`,
  )
}

function checkAuthorities(authorities: readonly X509Certificate[], file: string, now: Date): void {
  const [first] = authorities
  if (!authorities.every(({ validTo }) => Date.parse(validTo) <= now.getTime())) return
  throw invalidCertificateError(
    `all certificates in ${file} have expired, one at ${first?.validTo}: renew that of the operator`,
  )
}

/** The operator presents its certificate only if the issuer of it is among the authorities that the server asks for. */
function authorityWarnings(authorities: readonly X509Certificate[], file: string): string[] {
  if (authorities.some((one) => one.ca || one.checkIssued(one))) return []
  const issuer = authorities[0]?.issuer.replaceAll('\n', ', ')
  return [
    `${file} holds only certificates that "${issuer}" has issued: the operator then presents no certificate; ` +
      'use the certificate of that authority (ca.crt of the Secret)',
  ]
}

const invalidCertificateError = (message: string, cause?: unknown) =>
  new PluginError('INVALID_CERTIFICATE', message, { cause })
