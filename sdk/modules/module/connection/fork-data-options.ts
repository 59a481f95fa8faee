/** Options of the data that forks copy. Data then leaves the namespace of the source for that of the fork. */
export interface ForkDataOptions {
  /** How volumes are copied. Default: forks of Modules with volume claims are refused. */
  readonly volumes?: {
    /** The image of the Pods that copy; it needs Node 20 or later and tar, as the image of the operator has. */
    readonly image: string
    /** How long one volume may take, in seconds. Default: 3600. */
    readonly timeoutSeconds?: number
  }
}
