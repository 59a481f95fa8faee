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
  'delete-finalizers: an object that is being deleted takes no new finalizer':
    'The message is right, but the cause is listed once; a kube-apiserver finds it twice.',
  'delete-finalizers: a name whose object is being deleted is taken':
    'The message does not say that the object is being deleted.',
  'delete-finalizers: a built-in kind takes only finalizers with a domain': 'Finalizers are not validated.',
  'delete-finalizers: orphanDependents and propagationPolicy do not go together':
    'The policy wins over orphanDependents.',
  'delete-finalizers: options that are not DeleteOptions are refused':
    'The kind of the options is not looked at.',
  'patch-json: more than 10,000 operations are refused': 'There is no limit on the number of operations.',
  'patch-strategic: a container nobody has is added in front': 'New elements are added at the end.',
  'patch-strategic: lists within list elements are merged too': 'New elements are added at the end.',
  'patch-strategic: ports of a Service are merged by port': 'New elements are added at the end.',
  'patch-strategic: an element without its merge key is refused': 'The answer is a 400 with other words.',
  'patch-strategic: an unknown directive is refused': 'The answer is a 400 with other words.',
  'preconditions: preconditions hold for a Namespace': 'The message is that of any other kind.',
  'update-concurrency: a resourceVersion that is no number is refused': 'The answer is a conflict.',
}
