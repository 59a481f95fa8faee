/** A case that passes on a kube-apiserver and fails on the embedded server. */
export interface KnownDifference {
  /** The behaviour of the embedded server. */
  readonly why: string
  /** The error of the case there, so that no other fault is taken for the difference. */
  readonly error: RegExp
  /** The words with which the list "What differs" of `docs/embedded-apiserver.md` names it. */
  readonly docs: string
}

/** The cases, as `group: name`. The runner fails if one of them passes, or has another error. */
export const knownDifferences: Readonly<Record<string, KnownDifference>> = {
  'documented-differences: requests are proxied to pods': {
    why: 'nothing is proxied, because no pods run',
    error: /the server could not find the requested resource/,
    docs: 'No kubelet and no scheduler runs.',
  },
  'documented-differences: a policy is in force a moment after it was written': {
    why: 'a policy is in force at once',
    error: /each policy is in force at once/,
    docs: 'Changes are in force at once',
  },
  'documented-differences: the expressions of device selectors are compiled': {
    why: 'expressions in devices are not compiled',
    error: /status: 201/,
    docs: 'Some fields of rarer kinds are not validated',
  },
  'documented-differences: a rule that may cost too much is refused': {
    why: 'rules have no costs',
    error: /status: 201/,
    docs: 'Rules in CEL',
  },
  'documented-differences: controllers pass webhooks': {
    why: 'the steps of the own controllers are synchronous, so they cannot wait for webhooks',
    error: /the webhook refused the service account/,
    docs: "The server's own controllers pass no webhooks",
  },
  'documented-differences: each group version has an APIService': {
    why: 'APIServices are only stored',
    error: /status: 404/,
    docs: 'No priority, no aggregation, no devices',
  },
  'documented-differences: OpenAPI documents describe built-in kinds': {
    why: 'the texts would be larger than the server',
    error: /'undefined'/,
    docs: '`kubectl explain` has no texts',
  },
  'documented-differences: an empty list in place of an absent one is a new generation of a NetworkPolicy': {
    why: 'an empty list counts as an absent one',
    error: /generation: 1\b/,
    docs: 'Who owns a field, and which revision a no-op has',
  },
}
