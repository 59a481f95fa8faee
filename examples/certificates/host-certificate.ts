import type { KubeObject, Resource } from 'vcluster-plugin-sdk'

/** The fields of cert-manager's Certificate that this plugin uses. */
export interface HostCertificate extends KubeObject {
  spec: {
    dnsNames: string[]
    secretName: string
    /** cert-manager writes these annotations to the Secret. */
    secretTemplate: { annotations: Record<string, string> }
    issuerRef: { name: string; kind: 'Issuer' | 'ClusterIssuer' }
  }
  status?: { notAfter?: string }
}

/** The resource cert-manager.io/v1 Certificate. */
export const hostCertificates: Resource<HostCertificate> = {
  group: 'cert-manager.io',
  version: 'v1',
  kind: 'Certificate',
  plural: 'certificates',
  namespaced: true,
}
