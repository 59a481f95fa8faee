import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'

/** A MutatingWebhookConfiguration or ValidatingWebhookConfiguration. */
export interface WebhookConfiguration extends KubeObject {
  readonly webhooks: readonly Readonly<Record<string, unknown>>[]
}

const configuration = (kind: string): Resource<WebhookConfiguration> => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: false,
})

/** admissionregistration.k8s.io/v1 MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurations = configuration('MutatingWebhookConfiguration')
/** admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurations = configuration('ValidatingWebhookConfiguration')
