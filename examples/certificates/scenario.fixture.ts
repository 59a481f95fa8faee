import type { KubeObject } from 'vcluster-plugin-sdk'
import type { Scenario } from 'vcluster-plugin-sdk/testing'
import { installCertManager, issueAll } from './cert-manager.fixture.js'
import { certificates } from './kinds.js'
import { register } from './register.js'

/** The Certificate of the scenario. */
export const key = { namespace: 'default', name: 'shop' }

/** The spec that its user writes. */
export const spec = { dnsNames: ['shop.my.domain'], secretName: 'shop-tls' }

const merge = (change: object) => ({ type: 'merge', body: { spec: change } }) as const

/** The life of a Certificate, which tests run with a fault at every place. */
export const scenario: Scenario = {
  register,
  before: ({ host }) => installCertManager(host),
  steps: {
    'a Certificate is created': ({ virtual }) => virtual.create(certificates, { metadata: key, spec }),
    'it is issued': ({ host, targetNamespace }) => issueAll(host, targetNamespace),
    'it gets another name': ({ virtual }) =>
      virtual.patch(certificates, key, merge({ dnsNames: ['a.my.domain'] })),
    'it is issued again': ({ host, targetNamespace }) => issueAll(host, targetNamespace, 'again'),
    'it wants another Secret': ({ virtual }) =>
      virtual.patch(certificates, key, merge({ secretName: 'other' })),
    'it is deleted': ({ virtual }) => virtual.delete(certificates, key),
    'it is created again': ({ virtual }) => virtual.create(certificates, { metadata: key, spec }),
  },
  owns: isTheirs,
  // The finalizer, the host certificate, both Secrets and the status.
  writesPerChange: 5,
}

/** The host objects that the plugin may change: its own, and the Secrets that cert-manager issues to it. */
function isTheirs({ metadata }: KubeObject): boolean {
  return (
    metadata.labels?.['tls.my.domain/owner-uid'] !== undefined ||
    metadata.annotations?.['cert-manager.io/certificate-name'] !== undefined
  )
}
