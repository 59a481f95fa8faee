/** Options of the objects that run an operator. */
export interface OperatorManifestOptions {
  image: string
  replicas: number
  /** The memory limit, in MiB. */
  memoryMiB: number
  /** Default none. */
  priorityClass?: string | undefined
  /** Whether the namespace is printed, with the label that enforces the restricted Pod Security Standard. */
  createsNamespace: boolean
}
