import { once } from '../base/once.js'
import type { Admission, Admitted, Admitting } from './admission.js'

/**
 * The room of admission webhooks and policies. `admitWrite` runs a write and asks them at the points where the write
 * stops. A write that concerns no webhook runs to its end without a break, so what it read stays true. The rules of
 * built-in kinds are in `apiserver/kinds/`, the writes in `apiserver/verbs/`.
 */
export async function admitWrite<Result>(steps: Admitting<Result>): Promise<Result> {
  return runSteps(steps, (asked) => (isExempt(asked) ? undefined : ask(asked)))
}

/** Runs a write whose webhooks were asked before. */
export async function storeAdmitted<Result>(steps: Admitting<Result>): Promise<Result> {
  return runSteps(steps, () => undefined)
}

async function runSteps<Result>(
  steps: Admitting<Result>,
  answerTo: (asked: Admission) => Promise<Admitted | undefined> | undefined,
): Promise<Result> {
  let step = steps.next()
  while (step.done !== true) {
    const asked = step.value
    if ('prepare' in asked) await asked.prepare()
    const answer = 'prepare' in asked ? undefined : answerTo(asked)
    step = steps.next(answer === undefined ? undefined : await answer)
  }
  return step.value
}

/** Loads the code of webhooks and policies with the first write that they may be about. */
const loadAdmission = once(() => import('./ask-admission.js'))

async function ask(asked: Admission): Promise<Admitted | undefined> {
  const { askAdmission } = await loadAdmission()
  return askAdmission(asked)
}

const exempt = [
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]

/** Webhooks cannot forbid changes of webhooks, so that an administrator can remove a broken one. */
function isExempt({ request: { resource } }: Admission): boolean {
  return resource.group === 'admissionregistration.k8s.io' && exempt.includes(resource.plural)
}
