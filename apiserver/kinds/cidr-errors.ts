import { BlockList } from 'node:net'
import { isIPv6 } from '../base/is-ipv6.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { rangeProblem } from '../validation/strict-addresses.js'

/** A block of addresses, with excluded smaller ones. */
interface AddressBlock {
  readonly cidr?: string
  readonly except?: readonly string[]
}

interface AddressRange {
  readonly address: string
  readonly bits: number
}

/** The parts of a valid range. */
function rangeOf(cidr: string): AddressRange {
  const [address = '', bits = ''] = cidr.split('/')
  return { address, bits: Number(bits) }
}

/** The errors of a block; `ValidateIPBlock` of Kubernetes v1.36.3. */
export function cidrErrors({ cidr = '', except = [] }: AddressBlock, path: string): FieldError[] {
  if (cidr === '') return [required(`${path}.cidr`, '')]
  const errors = cidrRangeErrors(`${path}.cidr`, cidr)
  if (errors.length > 0) return errors
  return except.flatMap((exception, index) => {
    const field = `${path}.except[${index}]`
    const rangeErrors = cidrRangeErrors(field, exception)
    if (rangeErrors.length > 0) return rangeErrors
    const isPart = isInside(rangeOf(exception), rangeOf(cidr))
    return isPart ? [] : [invalidValue(field, exception, 'must be a strict subset of `cidr`')]
  })
}

function isInside({ address, bits }: AddressRange, outer: AddressRange): boolean {
  const family = isIPv6(outer.address) ? 'ipv6' : 'ipv4'
  if (isIPv6(address) !== (family === 'ipv6') || bits <= outer.bits) return false
  const block = new BlockList()
  block.addSubnet(outer.address, outer.bits, family)
  return block.check(address, family)
}

/** An error for a text that is not a range of addresses. */
export function cidrRangeErrors(field: string, text: string): FieldError[] {
  const problem = rangeProblem(text)
  return problem === undefined ? [] : [invalidValue(field, text, problem)]
}

/** Whether a range is one of IPv6 addresses. */
export function isIPv6Range(text: string): boolean {
  return isIPv6(text.split('/', 1)[0] ?? '')
}
