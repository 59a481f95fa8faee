import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { type AccessQuestion, isUrl, reviewAttributes, ruleTarget } from '../../engine/kube/access-target.js'
import { PluginError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { Side } from '../context/register-context.js'
import type { NeededPermission } from './permissions.js'

/** The reaction to a missing permission: fail the start, warn and continue, or do not check. */
export type MissingPermissions = 'fail' | 'warn' | 'ignore'

/** Options of {@link PermissionCheck}. */
export interface PermissionCheckOptions {
  virtual: Transport
  host: Transport
  targetNamespace: string
  /** The reaction to a missing permission that is not optional. */
  missing: MissingPermissions
  logger: Logger
  /** Aborts the check. */
  signal: AbortSignal
}

interface SelfSubjectAccessReview extends KubeObject {
  spec: ReturnType<typeof reviewAttributes>
  status?: { allowed?: boolean; reason?: string }
}

const reviews: Resource<SelfSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
}

/**
 * How long an API server may take to answer, in milliseconds: after this time the start continues without an answer.
 */
const timeoutMs = 5000

/**
 * Asks both API servers at the start whether the plugin has its permissions. A missing permission is reported with the
 * rule to add; without the check, a watch would never begin and nothing would show the reason. Each permission is
 * checked once. If a cluster does not answer, or does not allow the check, the permission is assumed to be granted.
 *
 * See https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export class PermissionCheck {
  readonly #options: PermissionCheckOptions
  readonly #clients: Record<Side, Client>
  readonly #mayAll = new Map<Side, Promise<boolean>>()
  readonly #asked = new Set<string>()

  constructor(options: PermissionCheckOptions) {
    this.#options = options
    // No write gate: a review is a POST, but changes nothing.
    this.#clients = {
      virtual: createClient({ transport: options.virtual }),
      host: createClient({ transport: options.host }),
    }
  }

  /** Throws `PluginError` with code `MISSING_PERMISSIONS` if a required permission is missing. */
  async check(needs: readonly NeededPermission[]): Promise<void> {
    const { missing, logger } = this.#options
    if (missing === 'ignore') return
    const answers = await Promise.all(
      needs.filter((need) => this.#isNew(need)).map((need) => this.#withMissingVerbs(need)),
    )
    const lacking = answers.filter(({ verbs }) => verbs.length > 0)
    const [needed, optional] = [false, true].map((isOptional) =>
      lacking.filter((one) => !!one.optional === isOptional),
    )
    for (const permission of optional ?? [])
      logger.info({ rule: ruleOf(permission) }, `${this.#describe(permission)}; it does without`)
    if (!needed || needed.length === 0) return
    const message = needed.map((one) => `${this.#describe(one)}. ${this.#remedy(one)}`).join('\n')
    if (missing === 'fail') throw new PluginError('MISSING_PERMISSIONS', message)
    logger.warn({}, message)
  }

  #isNew(need: NeededPermission): boolean {
    const id = JSON.stringify(need)
    const isNew = !this.#asked.has(id)
    this.#asked.add(id)
    return isNew
  }

  /** The permission with the verbs that are missing. */
  async #withMissingVerbs(need: NeededPermission): Promise<NeededPermission> {
    // The right to everything is about resources, not about URLs.
    if (!isUrl(need.resource) && (await this.#mayDoAll(need.side))) return { ...need, verbs: [] }
    const allowed = await Promise.all(need.verbs.map((verb) => this.#isAllowed(need, verb)))
    return { ...need, verbs: need.verbs.filter((_, i) => !allowed[i]) }
  }

  #mayDoAll(side: Side): Promise<boolean> {
    const knownAnswer = this.#mayAll.get(side)
    if (knownAnswer) return knownAnswer
    const asking = this.#ask(side, { group: '*', resource: '*', verb: '*', namespace: '' }).then(
      ({ allowed, reason = '' }) => {
        // Without any authorization, as on the embedded API server, there is nothing to advise.
        if (allowed && side === 'host' && reason.startsWith('RBAC'))
          this.#options.logger.warn({ reason }, tooBroad)
        return allowed === true
      },
    )
    this.#mayAll.set(side, asking)
    return asking
  }

  async #isAllowed(need: NeededPermission, verb: string): Promise<boolean> {
    const { group, resource } = need
    const question = { group, resource, verb, namespace: this.#namespaceOf(need) }
    const { allowed } = await this.#ask(need.side, question)
    return allowed !== false
  }

  async #ask(side: Side, question: AccessQuestion) {
    const { signal, logger } = this.#options
    const review: SelfSubjectAccessReview = { metadata: {}, spec: reviewAttributes(question) }
    try {
      return (await this.#clients[side].create(reviews, review, { signal, timeoutMs })).status ?? {}
    } catch (error) {
      signal.throwIfAborted()
      logger.debug({ cluster: side, error }, 'the cluster does not tell what the plugin may do')
      return {}
    }
  }

  #namespaceOf({ side, namespace }: NeededPermission): string {
    return namespace ?? (side === 'host' ? this.#options.targetNamespace : '')
  }

  #describe(need: NeededPermission): string {
    const namespace = this.#namespaceOf(need)
    const where = namespace === '' ? 'everywhere in' : `in namespace ${namespace} of`
    const resourceText = formatResource({ group: need.group, plural: need.resource })
    return `the plugin may not ${need.verbs.join(', ')} ${resourceText} ${where} the ${need.side} cluster, needed by ${need.neededBy.join(', ')}`
  }

  #remedy(need: NeededPermission): string {
    const role = this.#namespaceOf(need) === '' ? 'ClusterRole' : 'Role there'
    return `Add to its ${role}: ${ruleOf(need)}`
  }
}

const tooBroad =
  'the plugin may do everything in the host cluster; give it only the Role that `vcluster-plugin manifest` prints'

/** One line of a Role, as YAML that is also JSON. */
function ruleOf({ group, resource, verbs }: NeededPermission): string {
  const quoted = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(', ')}]`
  const lists = Object.entries({ ...ruleTarget({ group, resource }), verbs })
  return `- {${lists.map(([name, words]) => `${name}: ${quoted(words)}`).join(', ')}}`
}
