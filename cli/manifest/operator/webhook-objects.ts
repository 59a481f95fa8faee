import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { podLabels } from '../deployment.js'
import { wholeObject } from '../whole-object.js'

/**
 * The Service of an operator's webhooks, and for certificate files the configurations with a Certificate of
 * cert-manager. An operator with its own certificate writes the configurations itself, once it can be reached.
 */
export function webhookObjects(description: OperatorDescription): KubeObject[] {
  const { name, ownNamespace: namespace, webhooks } = description
  if (!webhooks) return []
  return [
    ...(webhooks.service === undefined ? [] : [service(description, webhooks.service)]),
    ...(webhooks.certificateFolder === undefined || webhooks.service === undefined
      ? []
      : certificateObjects({ name, namespace, service: webhooks.service })),
    ...webhooks.configurations,
  ]
}

function service(
  { name, ownNamespace: namespace, webhooks }: OperatorDescription,
  service: string,
): KubeObject {
  const ports = [{ name: 'webhooks', port: 443, targetPort: webhooks?.port }]
  const metadata = { name: service, namespace }
  return wholeObject({
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: podLabels(name), ports },
  })
}

function certificateObjects({
  name,
  namespace,
  service,
}: Record<'name' | 'namespace' | 'service', string>): KubeObject[] {
  const certificate = `${name}-webhook-certificate`
  const head = (name: string) => ({ apiVersion: 'cert-manager.io/v1', metadata: { name, namespace } })
  const spec = {
    secretName: certificate,
    dnsNames: [`${service}.${namespace}.svc`],
    issuerRef: { kind: 'Issuer', name: certificate },
  }
  return [
    wholeObject({ kind: 'Issuer', ...head(certificate), spec: { selfSigned: {} } }),
    wholeObject({ kind: 'Certificate', ...head(certificate), spec }),
  ]
}
