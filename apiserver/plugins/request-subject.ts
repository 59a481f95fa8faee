const BEGIN = '-----BEGIN CERTIFICATE REQUEST-----'
const END = '-----END CERTIFICATE REQUEST-----'
/** The object identifier 2.5.4.10, organizationName, with its tag and length. */
const ORGANIZATION = Buffer.from([0x06, 0x03, 0x55, 0x04, 0x0a])

/** The organizations in the subject of a certificate request: PEM as base64, as in `spec.request`. */
export function organizationsOf(request: string): string[] {
  const pem = Buffer.from(request, 'base64').toString('latin1')
  const [, body = ''] = pem.split(BEGIN)
  const subject = subjectOf(Buffer.from(body.split(END)[0] ?? '', 'base64'))
  const found: string[] = []
  for (let at = subject.indexOf(ORGANIZATION); at >= 0; at = subject.indexOf(ORGANIZATION, at + 1)) {
    found.push(contentAt(subject, at + ORGANIZATION.length).content.toString('utf8'))
  }
  return found
}

/** The subject of a PKCS #10 request: the second member of the first member (RFC 2986, section 4). */
function subjectOf(request: Buffer): Buffer {
  const info = contentAt(contentAt(request, 0).content, 0).content
  const version = contentAt(info, 0)
  return contentAt(info, version.end).content
}

/** The content of the DER value at an offset, and the offset after it; empty if it is cut off. */
function contentAt(bytes: Buffer, at: number): { readonly content: Buffer; readonly end: number } {
  const first = bytes[at + 1] ?? 0
  const sizeBytes = first < 0x80 ? 0 : first & 0x7f
  const from = at + 2 + sizeBytes
  let size = sizeBytes === 0 ? first : 0
  for (const byte of bytes.subarray(at + 2, from)) size = size * 256 + byte
  return { content: bytes.subarray(from, from + size), end: from + size }
}
