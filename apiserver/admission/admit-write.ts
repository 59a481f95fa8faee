import { once } from '../base/once.js'
import type { AdmissionAttributes, AdmissionResult, AdmissionSteps } from './admission-attributes.js'

/**
 * Runs a write. Calls the admission webhooks and policies each time that the write yields its attributes.
 * A write that no webhook matches runs to its end without a break, so its data cannot change meanwhile.
 *
 * `matching/` finds the webhooks of a write, `review/` makes the request for them, `policies/` evaluates policies,
 * `webhooks/` calls webhooks, and `run-admission.ts` has the order of these steps. The rules of built-in kinds are in
 * `apiserver/kinds/`, the writes in `apiserver/verbs/`.
 */
export async function admitWrite<Result>(steps: AdmissionSteps<Result>): Promise<Result> {
  return runSteps(steps, (attributes) => (isExempt(attributes) ? undefined : decide(attributes)))
}

/** Runs a write whose webhooks were called before. */
export async function storeAdmitted<Result>(steps: AdmissionSteps<Result>): Promise<Result> {
  return runSteps(steps, () => undefined)
}

async function runSteps<Result>(
  steps: AdmissionSteps<Result>,
  resultOf: (attributes: AdmissionAttributes) => Promise<AdmissionResult | undefined> | undefined,
): Promise<Result> {
  let step = steps.next()
  while (step.done !== true) {
    const yielded = step.value
    if ('prepare' in yielded) await yielded.prepare()
    const result = 'prepare' in yielded ? undefined : resultOf(yielded)
    step = steps.next(result === undefined ? undefined : await result)
  }
  return step.value
}

/** Loads the code of webhooks and policies with the first write that may match one. */
const loadAdmission = once(() => import('./run-admission.js'))

async function decide(attributes: AdmissionAttributes): Promise<AdmissionResult | undefined> {
  const { runAdmission } = await loadAdmission()
  return runAdmission(attributes)
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
function isExempt({ request: { resource } }: AdmissionAttributes): boolean {
  return resource.group === 'admissionregistration.k8s.io' && exempt.includes(resource.plural)
}
