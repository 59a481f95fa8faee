/** Somebody whom an API server knows, as it knows them. */
export interface Caller {
  readonly user: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}
