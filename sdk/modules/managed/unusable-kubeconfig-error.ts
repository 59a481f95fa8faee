/** The kubeconfig of a Workspace is missing or refused. A person has to change something before it can be used. */
export class UnusableKubeconfigError extends Error {
  override readonly name = 'UnusableKubeconfigError'
}
