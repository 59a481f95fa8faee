import { requestSubject } from '../kinds/certificates/certificate-request.js'
import { derAt } from '../kinds/certificates/der.js'

/** The object identifier 2.5.4.10, organizationName, with its tag and length. */
const organization = Buffer.from([0x06, 0x03, 0x55, 0x04, 0x0a])

/** The organizations in the subject of a certificate request: PEM as base64, as in `spec.request`. */
export function organizationsOf(request: string): string[] {
  const subject = requestSubject(request)
  const organizations: string[] = []
  for (
    let index = subject.indexOf(organization);
    index >= 0;
    index = subject.indexOf(organization, index + 1)
  ) {
    const value = derAt(subject, index + organization.length)
    if (value !== undefined) organizations.push(value.content.toString('utf8'))
  }
  return organizations
}
