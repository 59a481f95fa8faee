import type { LabelSelector } from '../../../sdk/engine/kube/label-selector.js'
import { fieldAt } from '../../base/object.js'
import type { ServerParts } from '../../server/context.js'

/** The type of the webhooks in a configuration. */
export type WebhookType = 'Mutating' | 'Validating'

/** The requests for which a webhook is called. */
export interface WebhookRule {
  readonly operations: readonly string[]
  readonly apiGroups: readonly string[]
  readonly apiVersions: readonly string[]
  /** `pods`, `pods/status`, `*` or `pods/*`. */
  readonly resources: readonly string[]
  readonly scope?: string
}

/** The Service of a webhook. */
export interface ServiceReference {
  readonly namespace: string
  readonly name: string
  readonly path?: string
  readonly port?: number
}

/** The address of a webhook, by URL or by Service. */
export interface ClientConfig {
  readonly url?: string
  readonly service?: ServiceReference
  /** Base64 of PEM. */
  readonly caBundle?: string
}

/** A CEL expression that must hold before a webhook is called. */
export interface MatchCondition {
  readonly name: string
  readonly expression: string
}

/** One webhook of a configuration, with its defaults; `admissionregistration.k8s.io/v1`. */
export interface Webhook {
  readonly name: string
  readonly clientConfig: ClientConfig
  readonly admissionReviewVersions?: readonly string[]
  readonly rules?: readonly WebhookRule[]
  readonly failurePolicy: 'Fail' | 'Ignore'
  readonly matchPolicy: 'Exact' | 'Equivalent'
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  readonly sideEffects: string
  readonly timeoutSeconds: number
  readonly matchConditions?: readonly MatchCondition[]
  /** Only of mutating webhooks. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded'
}

const storage: Readonly<Record<WebhookType, string>> = {
  Mutating: 'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  Validating: 'validatingwebhookconfigurations.admissionregistration.k8s.io',
}

/** Whether any webhook configuration exists; if none does, admission is skipped. */
export function hasWebhooks({ store }: Pick<ServerParts, 'store'>): boolean {
  return store.collection(storage.Mutating).size > 0 || store.collection(storage.Validating).size > 0
}

/** All webhooks of a type, by the names of their configurations, then in the order of the configuration. */
export function webhooksOf({ store }: Pick<ServerParts, 'store'>, type: WebhookType): Webhook[] {
  return [...store.collection(storage[type]).scan()].flatMap(({ object }) => {
    const webhooks = fieldAt(object, 'webhooks')
    return Array.isArray(webhooks) ? (webhooks as unknown as Webhook[]) : []
  })
}
