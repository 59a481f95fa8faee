import { BlockList, isIP } from 'node:net'
import { isIPv6 } from '../base/is-ipv6.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'

const WHY = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

/** A block of addresses, with excluded smaller ones. */
interface Block {
  readonly cidr?: string
  readonly except?: readonly string[]
}

interface Range {
  readonly address: string
  readonly bits: number
}

function rangeOf(cidr: string): Range | undefined {
  const [address = '', bits = '', ...more] = cidr.split('/')
  const most = isIPv6(address) ? 128 : 32
  const isRange = isIP(address) !== 0 && /^\d+$/.test(bits) && Number(bits) <= most && more.length === 0
  return isRange ? { address, bits: Number(bits) } : undefined
}

/** The errors of a block; `ValidateIPBlock` of Kubernetes v1.36.3. */
export function cidrErrors({ cidr = '', except = [] }: Block, path: string): FieldError[] {
  if (cidr === '') return [required(`${path}.cidr`, '')]
  const whole = rangeOf(cidr)
  if (whole === undefined) return [invalidValue(`${path}.cidr`, cidr, WHY)]
  return except.flatMap((part, at) => {
    const field = `${path}.except[${at}]`
    const range = rangeOf(part)
    if (range === undefined) return [invalidValue(field, part, WHY)]
    return isInside(range, whole) ? [] : [invalidValue(field, part, 'must be a strict subset of `cidr`')]
  })
}

function isInside({ address, bits }: Range, whole: Range): boolean {
  const family = isIPv6(whole.address) ? 'ipv6' : 'ipv4'
  if (isIPv6(address) !== (family === 'ipv6') || bits <= whole.bits) return false
  const block = new BlockList()
  block.addSubnet(whole.address, whole.bits, family)
  return block.check(address, family)
}

/** An error for a text that is not a range of addresses. */
export function cidrRangeErrors(field: string, text: string): FieldError[] {
  return rangeOf(text) === undefined ? [invalidValue(field, text, WHY)] : []
}

/** Whether a range is one of IPv6 addresses. */
export function isIPv6Range(text: string): boolean {
  return isIPv6(text.split('/', 1)[0] ?? '')
}
