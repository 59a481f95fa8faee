/**
 * What the embedded server knowingly does otherwise than a kube-apiserver, and why sequences leave it out.
 * `docs/embedded-apiserver.md` tells its users.
 */

/** Steps that no sequence takes. */
export interface Excluded {
  /** Matches `<resource> <kind of step> <variant>`. */
  readonly step: RegExp
  /** What the embedded server does instead. */
  readonly why: string
}

export const excludedSteps: readonly Excluded[] = [
  {
    step: /robots \w+ badFinalizer/,
    why: 'whoever gives a custom resource a finalizer without a domain is not warned',
  },
  {
    step: /robots apply\w* nulls/,
    why: 'a null that is applied goes, as one that is created does, instead of being refused',
  },
  {
    step: /robots jsonPatch whole/,
    why: 'a wrong kind is told before a missing name',
  },
  {
    step: /robots ((mergePatch|update)(Dry|Strict)? badStatus|\w+Status other(Kind|Version))/,
    why: 'what is of the wrong type and ignored does not take the managed fields away',
  },
  {
    step: /robots \w+ labelNull/,
    why: 'the next patch that changes nothing writes nothing',
  },
  {
    step: /events watchInitial/,
    why: 'a real server has no watch cache of Events, and says when their first events are over as its etcd does',
  },
  {
    step: /services \w+Dry (nodePort|balanced|open|balance|addressed)/,
    why: 'a dry run gives ports that the nodes do not have, and refuses addresses in other words',
  },
]

/** Whether sequences take a step. */
export function isExcluded(resource: string, kind: string, variant: string): boolean {
  return excludedSteps.some(({ step }) => step.test(`${resource} ${kind} ${variant}`))
}
