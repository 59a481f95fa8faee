/**
 * Intentional differences between the embedded server and a kube-apiserver. Sequences leave them out.
 * `docs/embedded-apiserver.md` documents them.
 */

/** Steps that sequences leave out. */
export interface ExcludedSteps {
  /** Matches `<resource> <kind of step> <variant>`. */
  readonly step: RegExp
  /** The behaviour of the embedded server. */
  readonly why: string
  /** The words of `docs/embedded-apiserver.md` about it. */
  readonly docs: string
}

export const excludedSteps: readonly ExcludedSteps[] = [
  {
    step: /robots apply\w* nulls/,
    why: 'a null in an apply is removed, as in a create, instead of being rejected',
    docs: 'A null that is applied is removed, as on create',
  },
  {
    step: /robots jsonPatch whole/,
    why: 'a wrong kind is reported before a missing name',
    docs: 'that error is reported before a missing name',
  },
  {
    step: /robots ((mergePatch|update)(Dry|Strict)? badStatus|\w+Status other(Kind|Version))/,
    why: 'an ignored value of the wrong type does not remove the managed fields',
    docs: 'may have the wrong type without an effect on the managed fields',
  },
  {
    step: /robots \w+ labelNull/,
    why: 'the next patch without changes writes nothing',
    docs: 'A patch without changes after a null label writes nothing',
  },
  {
    step: /events watchInitial/,
    why: 'a real server has no watch cache of Events, and reports the expiry of their first events when its etcd does',
    docs: 'no watch cache of Events and may send the bookmark earlier',
  },
  {
    step: /services \w+Dry (nodePort|balanced|open|balance|addressed)/,
    why: 'a dry run gives ports that the nodes do not have, and refuses addresses with other messages',
    docs: 'A dry run shows node ports that could be allocated',
  },
]

/** Whether sequences leave out a step. */
export function isExcluded(resource: string, kind: string, variant: string): boolean {
  return excludedSteps.some(({ step }) => step.test(`${resource} ${kind} ${variant}`))
}
