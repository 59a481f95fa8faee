import { hostName, type Key, parseKey, type RegisterContext, type Secret, secrets } from 'vcluster-plugin-sdk'
import { controller, owned, watch } from 'vcluster-plugin-sdk/operator'
import type { Config } from './config.js'
import { hostCertificates } from './host-certificate.js'
import { certificates } from './kinds.js'

/** On the Secret of a host certificate: the key of the Certificate in the virtual cluster. */
const originalAnnotation = 'tls.my.domain/certificate'

/**
 * Asks cert-manager on the host for each Certificate of the virtual cluster, and copies the issued Secret back.
 *
 * No Secret that vcluster copies to the host has a name that ends in `-tls`: its names end in the name of the vcluster.
 */
export const certificateController = (
  {
    vclusterName,
    targetNamespace,
    owner,
  }: Pick<RegisterContext, 'vclusterName' | 'targetNamespace' | 'owner'>,
  { issuer }: Config,
) =>
  controller(certificates, {
    cluster: 'virtual',
    // When a Certificate goes, its objects are deleted in this order.
    owns: [
      owned(hostCertificates, { cluster: 'host' }),
      owned(secrets, { cluster: 'host', adopt: isIssued }),
      owned(secrets, { cluster: 'virtual' }),
    ],
    watches: [watch(secrets, { cluster: 'host', keys: originalOf })],
    async reconcile(ctx, { metadata, spec }) {
      const host = ctx.cluster('host')
      const name = hostName(ctx.key.name, ctx.key.namespace, vclusterName)
      const issuedKey = { namespace: targetNamespace, name: `${name}-tls` }
      const goesWith = owner()
      const asked = await host.apply(hostCertificates, {
        metadata: { namespace: targetNamespace, name, ...(goesWith && { ownerReferences: [goesWith] }) },
        spec: {
          dnsNames: [...spec.dnsNames],
          secretName: issuedKey.name,
          secretTemplate: { annotations: { [originalAnnotation]: `${metadata.namespace}/${metadata.name}` } },
          issuerRef: issuer,
        },
      })
      const issued = host.store(secrets).get(issuedKey)
      if (!issued?.data?.['tls.crt']) return ctx.condition('Ready', false, 'WaitingForIssuer')
      // cert-manager keeps its Secrets, unless it runs with --enable-certificate-owner-ref.
      if (!issued.metadata.ownerReferences) await host.apply(secrets, { metadata: issuedKey })
      await ctx.apply(secrets, {
        metadata: { name: spec.secretName },
        type: 'kubernetes.io/tls',
        data: issued.data,
      })
      ctx.status.notAfter = asked.status?.notAfter
      ctx.condition('Ready', true, 'Issued')
    },
  })

/** Whether cert-manager made the Secret. */
function isIssued({ metadata }: Secret): boolean {
  return metadata.annotations?.['cert-manager.io/certificate-name'] !== undefined
}

function* originalOf({ metadata }: Secret): Iterable<Key> {
  const original = metadata.annotations?.[originalAnnotation]
  if (original) yield parseKey(original)
}
