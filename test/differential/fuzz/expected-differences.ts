import type { ClassifiedDifference } from './classify.js'

/** A known difference. */
interface Expected {
  /** Matches the key of a class: severity, method, resource and difference. */
  readonly key: RegExp
  readonly why: string
  /** The words of `docs/embedded-apiserver.md` about it. */
  readonly docs: string
}

/** Kinds whose own fields are not validated, and which plugins rarely write. */
const taken = [
  'apiservices|deviceclasses|resourceclaims|resourceclaimtemplates|resourceslices',
  '(?:mutating|validating)(?:admissionpolicies|admissionpolicybindings)|priorityclasses',
].join('|')

/** Intentional differences of the embedded server; `docs/embedded-apiserver.md` documents them. */
export const expected: readonly Expected[] = [
  {
    key: new RegExp(
      `^(?:lenient|strict|code|message): \\w+ (?:\\w+/)?(?:${taken})(?:/status)?: .*(?:is invalid|cannot be handled)`,
    ),
    why: 'objects of rarer kinds are not validated',
    docs: 'The specific fields of rarer kinds are not validated completely',
  },
  {
    key: /^(?:lenient|code|message): \w+ flowschemas: .*is invalid.*(?:spec\.rules|: \[)/,
    why: 'the rules of FlowSchemas are not validated',
    docs: 'and the rules of FlowSchemas',
  },
  {
    key: /^message: \w+ (?:pods|persistentvolumeclaims|persistentvolumes)(?:\/\w+)?: .*(?:may not change|immutable)/,
    why: 'errors about immutable fields have differences of objects, which are not in the types of Go',
    docs: 'An error about an immutable field of a pod, a claim or a PersistentVolume',
  },
  {
    key: /selfsubjectrulesreviews: \.status/,
    why: 'a real server lists rules in the order of its caches, and has additional roles for its own components',
    docs: 'The rules of a SelfSubjectRulesReview have another order',
  },
  {
    key: /\w+ \/(?:version\/?|api|apis): /,
    why: 'the build, the address and the groups of the real server differ',
    docs: '`/version`, `/api` and `/apis` show another build, address and groups',
  },
  {
    key: /\/scale: \.metadata\.resourceVersion/,
    why: 'a write of a Scale splits the managedFields entry of the manager that owned spec.replicas, which writes the object',
    docs: 'A write of `/scale` does not split the `managedFields` entry',
  },
  {
    key: /daemonsets\/status: .*managedFields/,
    why: "the owner of the annotation with the number of a DaemonSet's template after a write to the status",
    docs: "The annotation with the number of a DaemonSet's template",
  },
  {
    key: /GET io\/\w+(?:configurations|bindings): \.metadata\.resourceVersion/,
    why: 'a list of a kind that was never written',
    docs: 'The resourceVersion of a list of a kind that was never written',
  },
  {
    key: /persistentvolumeclaims(?:\/status)?: \.metadata\.resourceVersion/,
    why: 'the first update of a claim is written even without a change',
    docs: 'A kube-apiserver writes the first update of a claim',
  },
  {
    key: /networkpolicies: \.metadata\.generation$/,
    why: 'an empty list in place of an absent one counts as a change of a NetworkPolicy',
    docs: 'For a NetworkPolicy, a kube-apiserver counts an empty list',
  },
  {
    key: /(?:PUT|PATCH) services\/status: .*(?:clusterIP|ipFamil|f:spec)/,
    why: 'a Service that is created by a write to its status gets its addresses at once',
    docs: 'A Service that a write to the status creates has no addresses',
  },
  {
    key: /horizontalpodautoscalers: .*f:annotations/,
    why: 'the annotations in which autoscaling/v1 shows metrics have no owner',
    docs: 'The annotations in which `autoscaling/v1` shows metrics have no owner',
  },
  {
    key: /\/proxy: /,
    why: 'nothing is proxied, because no pods run',
    docs: '`pods/NAME/proxy`, `services/NAME/proxy` and `nodes/NAME/proxy` do not exist',
  },
]

/** The reason of a known difference; undefined if it is not known. */
export function expectedDifference({ key }: ClassifiedDifference): string | undefined {
  return expected.find((each) => each.key.test(key))?.why
}
