import type { Admission, Admitted, Admitting } from './admission.js'
import { mutate } from './mutate.js'
import { validate } from './validate.js'

/**
 * The room of admission webhooks. `admitWrite` runs a write and asks the webhooks at the points where the write stops. A
 * write that concerns no webhook runs to its end without a break, so what it read stays true. The rules of built-in kinds
 * are in `apiserver/kinds/`, the writes in `apiserver/verbs/`.
 */
export async function admitWrite<Result>(steps: Admitting<Result>): Promise<Result> {
  let step = steps.next()
  while (step.done !== true) {
    const asked = step.value
    const answer = isExempt(asked) ? undefined : ask(asked)
    step = steps.next(answer === undefined ? undefined : await answer)
  }
  return step.value
}

async function ask(asked: Admission): Promise<Admitted | undefined> {
  const mutated = asked.phase === 'Validating' ? undefined : await mutate(asked)
  const validated = asked.phase === 'Mutating' ? undefined : await validate(asked)
  return mutated ?? validated
}

const EXEMPT = [
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]

/** Webhooks cannot forbid changes of webhooks, so that an administrator can remove a broken one. */
function isExempt({ request: { resource } }: Admission): boolean {
  return resource.group === 'admissionregistration.k8s.io' && EXEMPT.includes(resource.plural)
}
