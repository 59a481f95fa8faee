import { type LookupAddress, lookup as lookupBySystem } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

/** Whether a connection to an address is allowed. */
export type AddressCheck = (address: string) => boolean

/**
 * Resolves names for connections, and refuses a name with an address that is not allowed. The connection uses the
 * checked answer, because a second answer of DNS could differ.
 */
export function checkedLookup(allows: AddressCheck, lookup: LookupFunction = lookupBySystem): LookupFunction {
  return (host, options, done) => {
    lookup(host, options, (error, answer, family) => {
      const refusedAddress = error ? undefined : addressesIn(answer).find((address) => !allows(address))
      if (refusedAddress === undefined) done(error, answer as string, family)
      else done(refusedAddressError(host, refusedAddress), '')
    })
  }
}

/** Throws if a host is an address that is not allowed; names are checked when they are resolved. */
export function checkHost(host: string, allows: AddressCheck): void {
  if (isIP(host) !== 0 && !allows(host)) throw refusedAddressError(host, host)
}

const addressesIn = (answer: string | LookupAddress[]) =>
  typeof answer === 'string' ? [answer] : answer.map(({ address }) => address)

function refusedAddressError(host: string, address: string): Error {
  const name = host === address ? host : `${host} (${address})`
  return new Error(`no connection to ${name}: the program does not connect to this address for others`)
}
