/**
 * Hands out Service addresses from 10.96.0.0/16, as `--service-cluster-ip-range` of a usual cluster has it.
 * Addresses of deleted Services come back when the range is used up.
 */
export class ClusterAddresses {
  readonly #isTaken: (address: string) => boolean
  /** 10.96.0.0 is the network, 10.96.0.1 the Service `kubernetes`. */
  #next = 2

  constructor(isTaken: (address: string) => boolean) {
    this.#isTaken = isTaken
  }

  allocate(): string {
    for (let tries = 0; tries < 65_536; tries++) {
      const address = `10.96.${this.#next >> 8}.${this.#next & 255}`
      this.#next = this.#next >= 65_534 ? 2 : this.#next + 1
      if (!this.#isTaken(address)) return address
    }
    throw new Error('the range 10.96.0.0/16 has no free Service address left; delete a Service')
  }
}
