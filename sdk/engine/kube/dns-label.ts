import { PluginError } from './error.js'
import { dnsLabelPattern } from './label-syntax.js'

const maxLength = 63
const quotedLength = 80
const label = new RegExp(`^${dnsLabelPattern}$`)

/** Whether a text is a DNS label (RFC 1123), as names of namespaces and Services are. */
export function isDnsLabel(value: string): boolean {
  return value.length <= maxLength && label.test(value)
}

/** The rule for a DNS label, in words. */
export const dnsLabelRule = `use at most ${maxLength} lower-case letters, digits and "-", beginning and ending with a letter or digit`

/**
 * Checks a name that becomes a part of request paths, object names and labels.
 *
 * @param origin where the value comes from, for the message: a variable, an option or a field
 * @throws `PluginError` with code `INVALID_NAME` unless the value is a DNS label
 */
export function checkDnsLabel(origin: string, value: string): void {
  // In a program whose types are not checked, an option may be missing.
  if ((value as string | undefined) === undefined)
    throw new PluginError('INVALID_NAME', `${origin} is missing: set it, and ${dnsLabelRule}`)
  if (isDnsLabel(value)) return
  const quoted = value.length > quotedLength ? `${value.slice(0, quotedLength)}…` : value
  const length = value.length > maxLength ? ` (${value.length} characters)` : ''
  throw new PluginError(
    'INVALID_NAME',
    `${origin} must be a DNS label, got ${JSON.stringify(quoted)}${length}: ${dnsLabelRule}`,
  )
}
