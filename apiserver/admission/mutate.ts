import { jsonEqual, parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { applyJsonPatch } from '../patch/json-patch.js'
import { whenConverted } from '../resources/converter.js'
import type { AdmissionAttributes, AdmissionResult } from './admission-attributes.js'
import { internalError } from './internal-error.js'
import { type Webhook, webhooksOf } from './matching/webhook.js'
import { mutateByPolicies } from './policies/mutate-policies.js'
import { hasPolicies } from './policies/policy.js'
import { inVersion } from './review/admission-request.js'
import { type AllowedResponse, callWebhook } from './webhooks/call-webhook.js'

/**
 * Applies the mutating policies, then calls the mutating webhooks one after the other; each gets the object as the ones
 * before it changed it. If one changed the object, those that were called before it are called once more if their
 * `reinvocationPolicy` is `IfNeeded`. Rejects if one denies the request.
 */
export async function mutate(attributes: AdmissionAttributes): Promise<AdmissionResult | undefined> {
  const mutated = new MutatedRequest(attributes)
  await mutated.applyPolicies()
  const webhooks = webhooksOf(attributes.request.server, 'Mutating')
  for (const webhook of webhooks) await mutated.callWebhook(webhook)
  await mutated.applyPoliciesAgain()
  for (const webhook of mutated.toReinvoke(webhooks)) await mutated.callWebhook(webhook)
  return mutated.result
}

/** One request on its way through the mutating policies and webhooks. */
class MutatedRequest {
  readonly #attributes: AdmissionAttributes
  #object: KubeObject | undefined
  #hasMatched = false
  /** The webhooks to call once more if a later one changes the object. */
  readonly #invoked = new Set<Webhook>()
  /** The webhooks to call once more, because a later one changed the object. */
  readonly #reinvoked = new Set<Webhook>()
  /** The object after the policies. */
  #fromPolicies: KubeObject | undefined

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes
  }

  get result(): AdmissionResult | undefined {
    if (!this.#hasMatched) return undefined
    return this.#object === undefined ? {} : { object: this.#object }
  }

  /** The webhooks to call once more, in their order. */
  toReinvoke(webhooks: readonly Webhook[]): Webhook[] {
    return webhooks.filter((webhook) => this.#reinvoked.has(webhook))
  }

  async applyPolicies(isReinvocation = false): Promise<void> {
    if (!hasPolicies(this.#attributes.request.server, 'mutating')) return
    const result = await mutateByPolicies(this.#current(), isReinvocation)
    if (result === undefined) return
    this.#hasMatched = true
    if (result.object !== undefined) this.#object = result.object
    this.#fromPolicies = this.#object
  }

  /** Applies the policies with `reinvocationPolicy: IfNeeded` once more if a webhook changed the object after them. */
  async applyPoliciesAgain(): Promise<void> {
    if (this.#object !== this.#fromPolicies) await this.applyPolicies(true)
  }

  #current(): AdmissionAttributes {
    const object = this.#object
    return object === undefined ? this.#attributes : { ...this.#attributes, object: () => object }
  }

  async callWebhook(webhook: Webhook): Promise<void> {
    const attributes = this.#current()
    const allowed = await callWebhook(webhook, 'Mutating', attributes)
    if (allowed === undefined) return
    this.#hasMatched = true
    const changed = await applyPatch(webhook, attributes, allowed)
    if (changed !== undefined) {
      this.#object = changed
      for (const earlier of this.#invoked) this.#reinvoked.add(earlier)
      this.#invoked.clear()
    }
    if (webhook.reinvocationPolicy === 'IfNeeded') this.#invoked.add(webhook)
  }
}

/** Applies a webhook's patch. Returns the changed object, or undefined if the patch changes nothing. */
async function applyPatch(
  webhook: Webhook,
  attributes: AdmissionAttributes,
  { response, matched }: AllowedResponse,
): Promise<KubeObject | undefined> {
  if (response.patch === '') return undefined
  const operations = operationsOf(response.patch)
  if (operations.length === 0) return undefined
  const { name } = webhook
  if (attributes.object === undefined || attributes.read === undefined) {
    const why = 'attempted to modify the object, which is not supported for this operation'
    throw internalError(`admission webhook "${name}" ${why}`)
  }
  const before = attributes.object()
  const { read } = attributes
  try {
    const sentObject = await whenConverted(() => inVersion(before, attributes, matched))
    const changed = applyJsonPatch(sentObject, operations) as KubeObject
    const mutated = read(await whenConverted(() => toRequestVersion(changed, attributes, matched)))
    return jsonEqual(mutated, before) ? undefined : mutated
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error))
  }
}

/** Converts a patched object to the version of the request. */
function toRequestVersion(
  mutated: KubeObject,
  attributes: AdmissionAttributes,
  matched: AllowedResponse['matched'],
): KubeObject {
  const { resource } = attributes.request
  if (attributes.kind !== undefined || matched === resource) return mutated
  const back = { ...attributes, request: { ...attributes.request, resource: matched } }
  return inVersion(mutated, back, resource) ?? mutated
}

function operationsOf(patch: string): object[] {
  try {
    const operations = parseJson(Buffer.from(patch, 'base64'))
    if (Array.isArray(operations)) return operations
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error))
  }
  throw internalError('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
}
