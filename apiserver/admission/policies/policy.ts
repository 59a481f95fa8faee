import type { LabelSelector } from '../../../sdk/engine/kube/label-selector.js'
import { type OpenObject, recordOf, textAt } from '../../base/object.js'
import type { ServerParts } from '../../server/context.js'
import type { MatchCondition, Webhook, WebhookRule } from '../matching/webhook.js'

/** A rule that may also select objects by name. */
export interface NamedRule extends WebhookRule {
  readonly resourceNames?: readonly string[]
}

/** The requests that a policy or a binding matches. */
export interface MatchResources
  extends Partial<Pick<Webhook, 'matchPolicy' | 'namespaceSelector' | 'objectSelector'>> {
  readonly resourceRules?: readonly NamedRule[]
  readonly excludeResourceRules?: readonly NamedRule[]
}

/** The parameters of a binding. */
export interface ParamRef {
  readonly name?: string
  readonly namespace?: string
  readonly selector?: LabelSelector
  readonly parameterNotFoundAction?: 'Allow' | 'Deny'
}

/** A condition that must hold; `admissionregistration.k8s.io/v1`. */
export interface Validation {
  readonly expression: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
}

/** A change of the object; `admissionregistration.k8s.io/v1`. */
export interface Mutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch'
  readonly applyConfiguration?: { readonly expression: string }
  readonly jsonPatch?: { readonly expression: string }
}

/** The `spec` of a ValidatingAdmissionPolicy or a MutatingAdmissionPolicy. */
export interface PolicySpec {
  readonly failurePolicy?: 'Fail' | 'Ignore'
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string }
  readonly matchConstraints?: MatchResources
  readonly matchConditions?: readonly MatchCondition[]
  readonly variables?: readonly { readonly name: string; readonly expression: string }[]
  readonly validations?: readonly Validation[]
  readonly mutations?: readonly Mutation[]
  readonly reinvocationPolicy?: 'IfNeeded' | 'Never'
}

/** The `spec` of a binding. Only bindings of validating policies have actions. */
export interface BindingSpec {
  readonly policyName: string
  readonly paramRef?: ParamRef
  readonly matchResources?: MatchResources
  readonly validationActions?: readonly ('Deny' | 'Warn' | 'Audit')[]
}

/** A binding of a policy. */
export interface Binding {
  readonly name: string
  readonly spec: BindingSpec
}

/** A policy with its bindings; without a binding it has no effect. */
export interface BoundPolicy {
  readonly name: string
  readonly spec: PolicySpec
  readonly bindings: readonly Binding[]
}

/** The types of policies, as in the names of their resources. */
export type PolicyType = 'validating' | 'mutating'

const policyStorage: Readonly<Record<PolicyType, string>> = {
  validating: 'validatingadmissionpolicies.admissionregistration.k8s.io',
  mutating: 'mutatingadmissionpolicies.admissionregistration.k8s.io',
}
const bindingStorage: Readonly<Record<PolicyType, string>> = {
  validating: 'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  mutating: 'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
}

/** Whether any policy of a type may be in force. */
export function hasPolicies({ store }: Pick<ServerParts, 'store'>, type: PolicyType): boolean {
  return store.collection(bindingStorage[type]).size > 0 && store.collection(policyStorage[type]).size > 0
}

/** All policies of a type that have a binding, by their names. */
export function boundPolicies(server: ServerParts, type: PolicyType): BoundPolicy[] {
  const bindings = new Map<string, OpenObject[]>()
  for (const binding of server.all(bindingStorage[type])) {
    const policyName = textAt(binding, 'spec', 'policyName')
    bindings.set(policyName, [...(bindings.get(policyName) ?? []), binding])
  }
  return [...server.all(policyStorage[type])].flatMap((policy) => {
    const name = policy.metadata.name ?? ''
    const ownBindings = bindings.get(name) ?? []
    return ownBindings.length === 0
      ? []
      : [{ name, spec: specOf<PolicySpec>(policy), bindings: ownBindings.map(bindingOf) }]
  })
}

const bindingOf = (binding: OpenObject): Binding => ({
  name: binding.metadata.name ?? '',
  spec: specOf<BindingSpec>(binding),
})

/** Specs were validated before they were stored. */
const specOf = <Spec>({ spec }: OpenObject) => recordOf(spec) as unknown as Spec
