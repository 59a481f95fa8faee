import type { Classified } from './classify.js'

/** Differences that are known. */
interface Expected {
  /** Matches the key of a class: severity, method, resource and what differs. */
  readonly key: RegExp
  readonly why: string
}

/** Kinds whose own fields are not validated, and which hardly a plugin writes. */
const TAKEN = [
  'certificatesigningrequests|csidrivers|csinodes|csistoragecapacities|endpoints|ingressclasses|ipaddresses|limitranges|nodes',
  '(?:mutating|validating)(?:admissionpolicies|admissionpolicybindings|webhookconfigurations)|namespaces|priorityclasses',
  'apiservices|deviceclasses|resourceclaims|resourceclaimtemplates|resourceslices|flowschemas|prioritylevelconfigurations',
  'resourcequotas|runtimeclasses|servicecidrs|volumeattachments|volumeattributesclasses|controllerrevisions|podtemplates',
].join('|')

/** What the embedded server knowingly does otherwise; `docs/embedded-apiserver.md` tells its users. */
const expected: readonly Expected[] = [
  {
    key: new RegExp(
      `^(?:lenient|strict|code|message): \\w+ (?:\\w+/)?(?:${TAKEN})(?:/status)?: .*(?:is invalid|cannot be handled)`,
    ),
    why: 'objects of rarer kinds are taken as they come',
  },
  {
    key: /certificatesigningrequests: .*(?:username|f:spec)/,
    why: 'a CertificateSigningRequest does not say who made it',
  },
  {
    key: /selfsubjectrulesreviews: \.status/,
    why: 'a real server lists rules in the order of its caches, and has roles of its own for more of its parts',
  },
  {
    key: /\w+ \/(?:version\/?|api|apis): /,
    why: 'the build, the address and the groups of the real server are its own',
  },
  {
    key: /\/scale: \.metadata\.resourceVersion/,
    why: 'a write of a Scale splits the managedFields entry of the manager that owned spec.replicas, which writes the object',
  },
  {
    key: /daemonsets\/status: .*managedFields/,
    why: "who owns the annotation with the number of a DaemonSet's template after a write to the status",
  },
  {
    key: /GET io\/\w+(?:configurations|bindings): \.metadata\.resourceVersion/,
    why: 'a list of a kind that was never written',
  },
  {
    key: /persistentvolumeclaims(?:\/status)?: \.metadata\.resourceVersion/,
    why: 'the first update of a claim is written even where it changes nothing',
  },
  {
    key: /networkpolicies: \.metadata\.generation$/,
    why: 'an empty list in place of an absent one counts as a change of a NetworkPolicy',
  },
  {
    key: /(?:PUT|PATCH) services\/status: .*(?:clusterIP|ipFamil|f:spec)/,
    why: 'a Service that a write to its status makes gets its addresses at once',
  },
  {
    key: /horizontalpodautoscalers: .*f:annotations/,
    why: 'the annotations in which autoscaling/v1 shows metrics are owned by nobody',
  },
  { key: /\/proxy: /, why: 'nothing is proxied, because nothing runs' },
]

/** Why a difference is known; undefined when it is not. */
export function expectedDifference({ key }: Classified): string | undefined {
  return expected.find((each) => each.key.test(key))?.why
}
