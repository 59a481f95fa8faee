import { isIPv4 } from 'node:net'
import type { Pool } from '../resources/kind-rules.js'

const range = '10.96.0.0/16'
const mismatch = 'the provided network does not match the current range'
const firstPort = 30_000
const lastPort = 32_767
/** The first port to allocate. Lower ports are reserved for Services that request a port; https://kep.k8s.io/3668 */
const firstAllocatedPort = 30_086

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
    throw new Error(`the range ${range} has no free Service address left; delete a Service`)
  }

  problem(address: string): string | undefined {
    if (!isIPv4(address) || !address.startsWith('10.96.')) return mismatch
    if (address === '10.96.0.0' || address === '10.96.255.255') {
      return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range}`
    }
    return this.#isTaken(address) ? 'provided IP is already allocated' : undefined
  }
}

/** Allocates node ports from the default `--service-node-port-range`. */
export class NodePorts implements Pool<number> {
  readonly #isTaken: (port: number) => boolean
  #next = firstAllocatedPort

  constructor(isTaken: (port: number) => boolean) {
    this.#isTaken = isTaken
  }

  allocate(except: ReadonlySet<number> = new Set()): number {
    for (let tries = firstPort; tries <= lastPort; tries++) {
      const port = this.#next
      this.#next = port >= lastPort ? firstPort : port + 1
      if (!except.has(port) && !this.#isTaken(port)) return port
    }
    throw new Error('failed to allocate a nodePort: range is full')
  }

  problem(port: number): string | undefined {
    if (port < firstPort || port > lastPort) {
      return `provided port is not in the valid range. The range of valid ports is ${firstPort}-${lastPort}`
    }
    return this.#isTaken(port) ? 'provided port is already allocated' : undefined
  }
}
