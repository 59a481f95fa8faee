import { jsonEqual, parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { applyJsonPatch } from '../patch/json-patch.js'
import { whenConverted } from '../resources/converter.js'
import type { Admission, Admitted } from './admission.js'
import { type Allowed, callWebhook } from './call-webhook.js'
import { internal } from './internal-error.js'
import { mutateByPolicies } from './policies/mutate-policies.js'
import { hasPolicies } from './policies/policy.js'
import { inVersion } from './review.js'
import { type Webhook, webhooksOf } from './webhook.js'

/**
 * Applies the mutating policies, then asks the mutating webhooks one after the other; each gets what the ones before it
 * made. If one changed the object, those that were called before it and want that (`IfNeeded`) are called once more.
 * Rejects if one denies the request.
 */
export async function mutate(asked: Admission): Promise<Admitted | undefined> {
  const round = new Mutation(asked)
  await round.applyPolicies()
  const webhooks = webhooksOf(asked.request.server, 'Mutating')
  for (const webhook of webhooks) await round.ask(webhook)
  await round.applyPoliciesAgain()
  for (const webhook of round.again(webhooks)) await round.ask(webhook)
  return round.answer
}

class Mutation {
  readonly #asked: Admission
  #object: KubeObject | undefined
  #wasAsked = false
  readonly #invoked = new Set<Webhook>()
  readonly #again = new Set<Webhook>()
  /** The object after the policies. */
  #fromPolicies: KubeObject | undefined

  constructor(asked: Admission) {
    this.#asked = asked
  }

  get answer(): Admitted | undefined {
    if (!this.#wasAsked) return undefined
    return this.#object === undefined ? {} : { object: this.#object }
  }

  /** The webhooks to call once more, in their order. */
  again(webhooks: readonly Webhook[]): Webhook[] {
    return webhooks.filter((webhook) => this.#again.has(webhook))
  }

  async applyPolicies(isAgain = false): Promise<void> {
    if (!hasPolicies(this.#asked.request.server, 'mutating')) return
    const made = await mutateByPolicies(this.#current(), isAgain)
    if (made === undefined) return
    this.#wasAsked = true
    if (made.object !== undefined) this.#object = made.object
    this.#fromPolicies = this.#object
  }

  /** Applies the policies that want it once more if a webhook changed the object after them. */
  async applyPoliciesAgain(): Promise<void> {
    if (this.#object !== this.#fromPolicies) await this.applyPolicies(true)
  }

  #current(): Admission {
    const object = this.#object
    return object === undefined ? this.#asked : { ...this.#asked, object: () => object }
  }

  async ask(webhook: Webhook): Promise<void> {
    const asked = this.#current()
    const allowed = await callWebhook(webhook, 'Mutating', asked)
    if (allowed === undefined) return
    this.#wasAsked = true
    const made = await patched(webhook, asked, allowed)
    if (made !== undefined) {
      this.#object = made
      for (const each of this.#invoked) this.#again.add(each)
      this.#invoked.clear()
    }
    if (webhook.reinvocationPolicy === 'IfNeeded') this.#invoked.add(webhook)
  }
}

/** The object after a webhook's patch; undefined if it is the same. */
async function patched(
  webhook: Webhook,
  asked: Admission,
  { response, matched }: Allowed,
): Promise<KubeObject | undefined> {
  if (response.patch === '') return undefined
  const operations = operationsOf(response.patch)
  if (operations.length === 0) return undefined
  const { name } = webhook
  if (asked.object === undefined || asked.read === undefined) {
    const why = 'attempted to modify the object, which is not supported for this operation'
    throw internal(`admission webhook "${name}" ${why}`)
  }
  const before = asked.object()
  const { read } = asked
  try {
    const sent = await whenConverted(() => inVersion(before, asked, matched))
    const changed = applyJsonPatch(sent, operations) as KubeObject
    const made = read(await whenConverted(() => fromVersion(changed, asked, matched)))
    return jsonEqual(made, before) ? undefined : made
  } catch (error) {
    throw internal(error instanceof Error ? error.message : String(error))
  }
}

/** A patched object in the version of the request. */
function fromVersion(made: KubeObject, asked: Admission, matched: Allowed['matched']): KubeObject {
  const { resource } = asked.request
  if (asked.kind !== undefined || matched === resource) return made
  const back = { ...asked, request: { ...asked.request, resource: matched } }
  return inVersion(made, back, resource) ?? made
}

function operationsOf(patch: string): object[] {
  try {
    const operations = parseJson(Buffer.from(patch, 'base64'))
    if (Array.isArray(operations)) return operations
  } catch (error) {
    throw internal(error instanceof Error ? error.message : String(error))
  }
  throw internal('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
}
