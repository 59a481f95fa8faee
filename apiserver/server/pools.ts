import { isIPv4 } from 'node:net'
import type { Pool } from '../resources/kind-rules.js'

const RANGE = '10.96.0.0/16'
const MISMATCH = 'the provided network does not match the current range'
const FIRST_PORT = 30_000
const LAST_PORT = 32_767
/** Lower ports are reserved for requests with a specific port; https://kep.k8s.io/3668 */
const FIRST_GIVEN_PORT = 30_086

/**
 * Allocates Service addresses from 10.96.0.0/16, the usual `--service-cluster-ip-range`. Addresses of deleted
 * Services are reused when the range is exhausted.
 */
export class ServiceAddresses implements Pool<string> {
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
    throw new Error(`the range ${RANGE} has no free Service address left; delete a Service`)
  }

  problem(address: string): string | undefined {
    if (!isIPv4(address) || !address.startsWith('10.96.')) return MISMATCH
    if (address === '10.96.0.0' || address === '10.96.255.255') {
      return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${RANGE}`
    }
    return this.#isTaken(address) ? 'provided IP is already allocated' : undefined
  }
}

/** Allocates node ports from the default `--service-node-port-range`. */
export class NodePorts implements Pool<number> {
  readonly #isTaken: (port: number) => boolean
  #next = FIRST_GIVEN_PORT

  constructor(isTaken: (port: number) => boolean) {
    this.#isTaken = isTaken
  }

  allocate(except: ReadonlySet<number> = new Set()): number {
    for (let tries = FIRST_PORT; tries <= LAST_PORT; tries++) {
      const port = this.#next
      this.#next = port >= LAST_PORT ? FIRST_PORT : port + 1
      if (!except.has(port) && !this.#isTaken(port)) return port
    }
    throw new Error('failed to allocate a nodePort: range is full')
  }

  problem(port: number): string | undefined {
    if (port < FIRST_PORT || port > LAST_PORT) {
      return `provided port is not in the valid range. The range of valid ports is ${FIRST_PORT}-${LAST_PORT}`
    }
    return this.#isTaken(port) ? 'provided port is already allocated' : undefined
  }
}
