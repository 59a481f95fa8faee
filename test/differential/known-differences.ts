/**
 * What the embedded server knowingly does otherwise than a kube-apiserver, and why sequences leave it out.
 * `docs/embedded-apiserver.md` tells its users.
 */

/** Members that are left out of both answers, with what the embedded server says instead. */
export const ignoredMembers: Readonly<Record<string, string>> = {
  description: 'the columns of its tables have no description',
}

/** Steps that no sequence takes. */
export interface Excluded {
  /** Matches `<resource> <kind of step> <variant>`. */
  readonly step: RegExp
  /** What the embedded server does instead. */
  readonly why: string
}

export const excludedSteps: readonly Excluded[] = [
  {
    step: /events watchInitial/,
    why: 'a real server has no watch cache of Events, and says when their first events are over as its etcd does',
  },
  {
    step: /services \w+Dry (nodePort|balanced|open|balance)/,
    why: 'a port of the nodes that nobody keeps is one that a node could have',
  },
]

/** Whether sequences take a step. */
export function isExcluded(resource: string, kind: string, variant: string): boolean {
  return excludedSteps.some(({ step }) => step.test(`${resource} ${kind} ${variant}`))
}
