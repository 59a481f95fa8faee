// The parts of cert-manager that the tests of this example need.
import {
  type Client,
  type CustomResourceDefinition,
  customResourceDefinitions,
  isNotFound,
  secrets,
} from 'vcluster-plugin-sdk'
import { type HostCertificate, hostCertificates } from './host-certificate.js'

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const definition: CustomResourceDefinition = {
  metadata: { name: 'certificates.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    scope: 'Namespaced',
    names: {
      plural: 'certificates',
      singular: 'certificate',
      kind: 'Certificate',
      listKind: 'CertificateList',
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
      },
    ],
  },
}

/** Installs the definition, and waits until it is served. */
export async function installCertManager(host: Client): Promise<void> {
  await host.create(customResourceDefinitions, definition)
  while (!(await isServed(host))) await new Promise((resolve) => setTimeout(resolve, 20))
}

const isServed = (host: Client) =>
  host.list(hostCertificates).then(
    () => true,
    () => false,
  )

/** Signs every certificate of a namespace: writes its Secret, then its status. */
export async function issueAll(host: Client, namespace: string, signature = 'signed'): Promise<void> {
  const { items } = await host.list(hostCertificates, { namespace })
  for (const certificate of items) await issue(host, certificate, signature)
}

async function issue(host: Client, { metadata, spec }: HostCertificate, signature: string): Promise<void> {
  const { namespace = '', name = '' } = metadata
  const key = { namespace, name: spec.secretName }
  const annotations = { ...spec.secretTemplate.annotations, 'cert-manager.io/certificate-name': name }
  const stringData = { 'tls.crt': `${spec.dnsNames.join()} ${signature}`, 'tls.key': 'key' }
  const body = { metadata: { annotations }, stringData }
  await host.patch(secrets, key, { type: 'merge', body }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return host.create(secrets, { metadata: { ...key, annotations }, type: 'kubernetes.io/tls', stringData })
  })
  const status = { notAfter: '2030-01-01T00:00:00Z' }
  await host.patch(
    hostCertificates,
    { namespace, name },
    { type: 'merge', body: { status }, subresource: 'status' },
  )
}
