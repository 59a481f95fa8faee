import { X509Certificate } from 'node:crypto'
import type { Client } from '../../../sdk/engine/client/client.js'
import { secrets, services } from '../../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  type WebhookConfiguration,
} from '../../../sdk/engine/webhook/configuration/webhook-configuration.js'
import { type Finding, finding } from '../finding.js'
import type { OperatorFindingsOptions } from './operator-findings-options.js'
import { readIfExists } from './read-if-exists.js'

interface EndpointSlice extends KubeObject {
  endpoints?: { conditions?: { ready?: boolean } }[] | null
}

const endpointSlices: Resource<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
}

/** Checks that the API server can call the webhooks of an operator, and trusts their certificate. */
export async function webhookFindings(options: OperatorFindingsOptions): Promise<Finding[]> {
  const { description, client } = options
  const { webhooks, name, ownNamespace: namespace } = description
  if (!webhooks) return []
  const configurations = await Promise.all(
    [mutatingWebhookConfigurations, validatingWebhookConfigurations].map((resource) =>
      readIfExists(client.get(resource, { namespace: '', name })),
    ),
  )
  const installed = configurations.filter((configuration) => configuration !== undefined)
  const cure =
    webhooks.configurations.length > 0
      ? 'apply what "vcluster-plugin manifest" prints'
      : 'the operator writes it once it leads and its webhooks can be reached: see what it logs'
  const missingKinds = webhooks.configurationKinds
    .filter((kind) => !installed.some((configuration) => configuration.kind === kind))
    .map((kind) => finding('webhooks', 'failed', `${kind} ${name} does not exist; ${cure}`))
  const certificate = await certificateOf(client, { namespace, name: webhooks.secret })
  return [
    ...missingKinds,
    ...(webhooks.service === undefined ? [] : [await serviceFinding(client, namespace, webhooks.service)]),
    ...installed.map((configuration) => trustFinding(configuration, certificate)),
  ]
}

async function serviceFinding(client: Client, namespace: string, name: string): Promise<Finding> {
  const check = 'webhook Service'
  const words = `Service ${namespace}/${name}`
  if (!(await readIfExists(client.get(services, { namespace, name }))))
    return finding(check, 'failed', `${words} does not exist; apply what "vcluster-plugin manifest" prints`)
  const labelSelector = `kubernetes.io/service-name=${name}`
  const { items } = await client.list(endpointSlices, { namespace, labelSelector })
  const ready = items
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter((endpoint) => endpoint.conditions?.ready !== false)
  if (ready.length > 0) return finding(check, 'ok', `${words} has ${ready.length} ready endpoints`)
  const message = `${words} has no ready endpoint, so the API server refuses objects that a webhook has to review; see why the Pods of the operator are not ready`
  return finding(check, 'failed', message)
}

/** The certificate in the Secret of cert-manager or of the operator; undefined if there is none. */
async function certificateOf(
  client: Client,
  key: { namespace: string; name: string },
): Promise<X509Certificate | undefined> {
  const secret = await readIfExists(client.get(secrets, key))
  const [certificate] = certificatesIn(secret?.data?.['tls.crt'])
  return certificate
}

function trustFinding(
  { kind, metadata, webhooks }: WebhookConfiguration,
  certificate: X509Certificate | undefined,
): Finding {
  const check = 'webhook trust'
  const words = `${kind} ${metadata.name}`
  const bundles = webhooks.map(({ clientConfig }) =>
    certificatesIn((clientConfig as { caBundle?: string } | undefined)?.caBundle),
  )
  if (bundles.some((bundle) => bundle.length === 0)) {
    const message = `${words} has a webhook without a caBundle; its source is the CA injector of cert-manager, or the operator once it leads: see what they log`
    return finding(check, 'failed', message)
  }
  if (!certificate)
    return finding(check, 'skipped', `${words} has a caBundle; there is no Secret to compare it with`)
  if (bundles.every((bundle) => bundle.some((authority) => isIssuedBy(certificate, authority))))
    return finding(check, 'ok', `${words} trusts the certificate of the webhooks`)
  const message = `the caBundle of ${words} did not issue the certificate of the webhooks, so the API server refuses to call them; it comes from the CA injector of cert-manager, or from the operator: see what they log`
  return finding(check, 'failed', message)
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/** The certificates of PEM text in base64; none if it is not readable. */
function certificatesIn(base64: string | undefined): X509Certificate[] {
  const text = Buffer.from(base64 ?? '', 'base64').toString()
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch {
    return []
  }
}
