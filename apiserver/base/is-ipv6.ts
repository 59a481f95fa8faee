import { isIPv6 as matchesIPv6 } from 'node:net'

/**
 * Whether a text is an IPv6 address. Node compiles a large pattern at the first call, which takes milliseconds, so a
 * text without a colon is not matched at all.
 */
export function isIPv6(text: string): boolean {
  return text.includes(':') && matchesIPv6(text)
}
