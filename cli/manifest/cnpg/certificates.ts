import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { wholeObject } from '../whole-object.js'

/** The Secrets of both certificates. */
export const secretNames = (service: string) => ({
  server: `${service}-server-tls`,
  client: `${service}-client-tls`,
})

/**
 * The certificates of the plugin and of the operator, each signed by itself: the operator trusts the certificate of the
 * plugin and no authority, and presents its own only if the plugin asks for its issuer.
 */
export function certificateObjects({
  service,
  namespace,
}: Record<'service' | 'namespace', string>): KubeObject[] {
  const issuer = `${service}-selfsigned`
  const { server, client } = secretNames(service)
  const head = (name: string) => ({ apiVersion: 'cert-manager.io/v1', metadata: { name, namespace } })
  const certificate = (secretName: string, usage: string, commonName: string, dnsNames: string[]) => ({
    kind: 'Certificate',
    ...head(secretName),
    spec: {
      secretName,
      commonName,
      dnsNames,
      duration: '2160h',
      renewBefore: '360h',
      usages: [usage],
      issuerRef: { kind: 'Issuer', name: issuer },
    },
  })
  return [
    wholeObject({ kind: 'Issuer', ...head(issuer), spec: { selfSigned: {} } }),
    // The operator expects the short name, the API server the one with the namespace.
    certificate(server, 'server auth', service, [service, `${service}.${namespace}.svc`]),
    certificate(client, 'client auth', `${service}-client`, [`${service}-client`]),
  ]
}
