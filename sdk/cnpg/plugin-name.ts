import { PluginError } from '../engine/kube/error.js'

const maxLength = 63
const dnsName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Throws `PluginError` `INVALID_NAME` unless the name can be a label and the name of a socket. */
export function checkPluginName(name: string): void {
  if (name.length <= maxLength && dnsName.test(name)) return
  const message = `the name of a plugin must be a DNS name of at most ${maxLength} characters, got ${JSON.stringify(name)}: for example backup.example.org`
  throw new PluginError('INVALID_NAME', message)
}
