/**
 * What the embedded server knowingly does otherwise than a kube-apiserver, and why sequences leave it out.
 * `docs/embedded-apiserver.md` tells its users.
 */

/** Members that are left out of both answers, with what the embedded server says instead. */
export const ignoredMembers: Readonly<Record<string, string>> = {
  managedFields: 'it keeps none',
  warning: 'it warns of nothing',
  description: 'the columns of its tables have no description',
  serviceAccountName:
    'it names the service account of a pod; the real server of these tests does not admit any',
  serviceAccount: 'as serviceAccountName',
}

/** Steps that no sequence takes. */
export interface Excluded {
  /** Matches `<resource> <kind of step> <variant>`. */
  readonly step: RegExp
  /** What the embedded server does instead. */
  readonly why: string
}

export const excludedSteps: readonly Excluded[] = [
  { step: / apply\w* | mistyped application.apply/, why: 'it knows no server-side apply' },
  { step: / listOddly continue=nonsense/, why: 'it does not quote what is wrong with the token as Go does' },
  { step: / jsonPatch whole/, why: 'it says otherwise that there is no such kind' },
  {
    step: / strategicPatch\w* (other|replaceData|replaceLabels|renameOwner|retain|nested|number|labelNumber|addPort)/,
    why: 'it takes fewer directives, and merges what is of the wrong type before it complains',
  },
  { step: / replace\w* ended/, why: 'a replace that creates does not keep a deletionTimestamp' },
  { step: / replaceDry versioned/, why: 'a replace that would create does not show a resourceVersion' },
  {
    step: /services create\w* (badName|longName)|services generate (bad|long)/,
    why: 'it has other words for it',
  },
  { step: / pages .*labelSelector/, why: 'it ends a selective list where nothing more is selected' },
  {
    step: /services \w+ headless/,
    why: 'one that becomes unlike it in a single-stack cluster is not refused',
  },
  {
    step: /secrets (replace|update)\w* (bad|long|owned)/,
    why: 'it tells several things that are wrong in another order',
  },
  { step: /services \w*Status (addOwner|renameOwner)/, why: 'a status update does not change owners' },
  { step: / create\w* bad(Auth|Time)| replace\w* bad(Auth|Time)/, why: 'it takes them' },
  {
    step: /pods (update|replace|mergePatch|strategicPatch)/,
    why: 'the spec of a pod can be changed, and the conditions of its status have no times',
  },
]

/** Whether sequences take a step. */
export function isExcluded(resource: string, kind: string, variant: string): boolean {
  return excludedSteps.some(({ step }) => step.test(`${resource} ${kind} ${variant}`))
}
