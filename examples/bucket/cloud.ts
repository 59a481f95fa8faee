/** A bucket as the cloud knows it. */
export interface CloudBucket {
  readonly id: string
  readonly region: string
  readonly url: string
  /** Of the call that created it. */
  readonly token: string
}

/** The calls of a cloud that the controller needs. Each may take long, and each may fail after it has done its work. */
export interface Cloud {
  /** The bucket with this token, if there is one. */
  findByToken(token: string, signal: AbortSignal): Promise<CloudBucket | undefined>
  create(region: string, token: string, signal: AbortSignal): Promise<CloudBucket>
  /** Does nothing if there is no such bucket. */
  remove(id: string, signal: AbortSignal): Promise<void>
}

/**
 * A cloud in memory. Like most real ones it creates a second bucket for a second call: it does not look at the token.
 */
export class FakeCloud implements Cloud {
  readonly buckets = new Map<string, CloudBucket>()

  async findByToken(token: string): Promise<CloudBucket | undefined> {
    return [...this.buckets.values()].find((bucket) => bucket.token === token)
  }

  async create(region: string, token: string): Promise<CloudBucket> {
    const id = `bucket-${this.buckets.size + 1}`
    const bucket = { id, region, token, url: `https://${region}.cloud.example/${id}` }
    this.buckets.set(id, bucket)
    return bucket
  }

  async remove(id: string): Promise<void> {
    this.buckets.delete(id)
  }

  /** Forgets everything. */
  reset(): void {
    this.buckets.clear()
  }
}
