import { formatTime } from '../../base/clock.js'
import { type OpenObject, recordOf, textAt } from '../../base/object.js'
import type { UserInfo } from '../../request/request.js'
import type { KindRules, KindServices } from '../../resources/kind-rules.js'
import { type Condition, conditionsOf } from './condition-errors.js'
import { signingRequestErrors } from './signing-request-errors.js'

/** https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/ */
export const signingRequestRules: KindRules = {
  metadata: {
    name: () => undefined,
  },
  read: {
    selectableFields: { 'spec.signerName': (object) => textAt(object, 'spec', 'signerName') },
  },
  validate: (object, old, subresource = '') => signingRequestErrors(object, old, subresource),
  create: {
    prepare: recordCreator,
  },
  update: {
    validatesChangesLast: true,
    prepare(object, old) {
      object.spec = old.spec
      return undefined
    },
  },
  status: {
    prepare: keepDecisions,
    complete: fillTimes,
  },
  parts: {
    resetFields: {
      '': [['f:spec'], ['f:status']],
      status: [['f:spec'], ['f:status', 'f:conditions']],
      approval: [['f:spec'], ['f:status', 'f:certificate']],
    },
    status: { approval: ['conditions'] },
  },
}

/** The creator is the one of the request, whatever its body says. */
function recordCreator(object: OpenObject, _services: KindServices, user: UserInfo): undefined {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = recordOf(object.spec)
  const { name, uid, groups, extra = {} } = user
  object.spec = {
    ...spec,
    username: name,
    ...(uid ? { uid } : {}),
    ...(groups.length > 0 ? { groups: [...groups] } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  }
}

/** A write to the status leaves decisions as they are; adding or removing one is an error. */
function keepDecisions(object: OpenObject, old: OpenObject): void {
  const conditions = [...conditionsOf(object)]
  const before = conditionsOf(old)
  for (const type of ['Approved', 'Denied']) {
    const [now, then] = [indexesOf(conditions, type), indexesOf(before, type)]
    if (now.length !== then.length) continue
    for (const [position, index] of now.entries()) conditions[index] = before[then[position] ?? 0] ?? {}
  }
  if (conditions.length > 0) object.status = { ...recordOf(object.status), conditions }
}

function indexesOf(conditions: readonly Condition[], type: string): number[] {
  return conditions.flatMap((each, index) => (each.type === type ? [index] : []))
}

/** Sets the times that a condition lacks; that of its transition is kept with its status. */
function fillTimes(object: OpenObject, old: OpenObject, { clock }: KindServices): void {
  const conditions = conditionsOf(object)
  if (conditions.length === 0) return
  const now = formatTime(clock.date())
  const before = conditionsOf(old)
  const transitionOf = ({ type, status }: Condition) =>
    before.find((each) => each.type === type && each.status === status && each.lastTransitionTime)
      ?.lastTransitionTime ?? now
  const filled = conditions.map((each) => ({
    ...each,
    lastUpdateTime: each.lastUpdateTime ?? now,
    lastTransitionTime: each.lastTransitionTime ?? transitionOf(each),
  }))
  object.status = { ...recordOf(object.status), conditions: filled }
}
