/**
 * Intentional differences between the embedded server and a kube-apiserver. Sequences leave them out.
 * `docs/embedded-apiserver.md` documents them.
 */

/** Steps that sequences leave out. */
export interface Excluded {
  /** Matches `<resource> <kind of step> <variant>`. */
  readonly step: RegExp
  /** The behaviour of the embedded server. */
  readonly why: string
}

export const excludedSteps: readonly Excluded[] = [
  {
    step: /robots \w+ badFinalizer/,
    why: 'a finalizer without a domain in a custom resource causes no warning',
  },
  {
    step: /robots apply\w* nulls/,
    why: 'a null in an apply is removed, as in a create, instead of being rejected',
  },
  {
    step: /robots jsonPatch whole/,
    why: 'a wrong kind is reported before a missing name',
  },
  {
    step: /robots ((mergePatch|update)(Dry|Strict)? badStatus|\w+Status other(Kind|Version))/,
    why: 'an ignored value of the wrong type does not remove the managed fields',
  },
  {
    step: /robots \w+ labelNull/,
    why: 'the next patch without changes writes nothing',
  },
  {
    step: /events watchInitial/,
    why: 'a real server has no watch cache of Events, and reports the expiry of their first events when its etcd does',
  },
  {
    step: /services \w+Dry (nodePort|balanced|open|balance|addressed)/,
    why: 'a dry run gives ports that the nodes do not have, and refuses addresses with other messages',
  },
]

/** Whether sequences leave out a step. */
export function isExcluded(resource: string, kind: string, variant: string): boolean {
  return excludedSteps.some(({ step }) => step.test(`${resource} ${kind} ${variant}`))
}
