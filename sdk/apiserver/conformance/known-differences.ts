/**
 * Cases that a kube-apiserver passes and the embedded server does not, as `group: name`, each with what the
 * embedded server does instead. The runner fails when one of them starts to pass: then it leaves this list.
 */
export const knownDifferences: Readonly<Record<string, string>> = {
  'get-list: an unknown version of a known group is a 404':
    'The answer is the plain page of an unknown path.',
  'get-list: a get at a resourceVersion that is no number is refused':
    'Get does not look at resourceVersion.',
  'paging: a token that is none is refused': 'The message says otherwise what is wrong with the token.',
  'paging: a token and a resourceVersion do not go together': 'The resourceVersion is ignored.',
  'watch: the path of one object is a watch of it': 'The deprecated paths below /watch/ are not served.',
  'watch: an object whose finalizers hold it is MODIFIED, and DELETED when they are gone':
    'The DELETED event shows the object after its last finalizer was taken, not before.',
  'watch: a watch that ends sends a last bookmark to those who take them':
    'A bookmark comes at the interval alone, not two seconds before the end.',
  'watch: a watch of the past before all history is told that it is gone':
    'History begins with the first write, so that no version is too old until it is compacted.',
  'create-names: a name of 253 characters is allowed and one of 254 is not':
    'The message counts bytes, not characters.',
  'create-names: a Namespace has no dots in its name': 'The message is that of any wrong label.',
  'create-names: a Namespace has at most 63 characters in its name':
    'The message counts bytes, not characters.',
  'create-names: a Service may begin with a digit': 'The name must be an RFC 1035 label, as before 1.36.',
  'create-names: a Service has no dots in its name': 'The message is that of an RFC 1035 label.',
  'create-names: an object with status begins its life without it':
    'A PersistentVolumeClaim has no phase until something sets it.',
}
