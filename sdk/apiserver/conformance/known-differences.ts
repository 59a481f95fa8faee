/**
 * Cases that a kube-apiserver passes and the embedded server does not, as `group: name`, each with what the
 * embedded server does instead. The runner fails when one of them starts to pass: then it leaves this list.
 */
export const knownDifferences: Readonly<Record<string, string>> = {
  'immutability: the selector of a Deployment stays': 'The selector can be changed.',
  'immutability: the storage class of a claim stays': "A claim's spec can be changed.",
  'immutability: the template of a Job stays': 'The template can be changed.',
  'immutability: a StatefulSet changes its replicas and its template, not its service':
    'Every field can be changed.',
  'validation-kinds: an Ingress has a rule or a backend': 'Ingresses are not validated.',
  'validation-kinds: a PersistentVolumeClaim asks for a size': 'Claims are not validated.',
  'media-types: an answer says how the request was sorted':
    'There is neither priority and fairness nor an audit.',
}
