import { PluginError } from '../engine/kube/error.js'
import type { PluginMetadata } from './context/plugin-identity.js'

const maxLength = 63
const dnsName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const rule = `a DNS name of at most ${maxLength} characters`
const example = 'for example backup.example.org'

/**
 * Throws `PluginError` `INVALID_NAME` unless the name can be a label and the name of a socket. It may be missing in a
 * program whose types are not checked, as in `dev`.
 */
export function checkPluginName(name: string | undefined): void {
  if (name === undefined) throw invalid(`the name of the plugin is missing: set name to ${rule}, ${example}`)
  if (name.length <= maxLength && dnsName.test(name)) return
  throw invalid(`the name of the plugin must be ${rule}, got ${JSON.stringify(name)}: ${example}`)
}

/** Throws `PluginError` `INVALID_NAME` for a wrong name, and for a plugin without a version. */
export function checkPluginMetadata({ name, version }: Partial<PluginMetadata>): void {
  checkPluginName(name)
  if (version) return
  throw invalid(`the version of the plugin ${name} is missing: set version, for example to 0.1.0`)
}

const invalid = (message: string) => new PluginError('INVALID_NAME', message)
