import { dnsLabelRule, isDnsLabel } from '../../sdk/engine/kube/dns-label.js'
import { UsageError } from '../terminal/usage-error.js'

/** Throws `UsageError` unless a flag's value is a DNS label, as names of namespaces and Services are. */
export function checkLabel(flag: string, value: string): void {
  if (!isDnsLabel(value)) throw new UsageError(`${flag} is ${JSON.stringify(value)}: ${dnsLabelRule}`)
}
