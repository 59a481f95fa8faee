import { isApiVersion } from '../../engine/kube/api-version.js'
import { dnsLabelRule, isDnsLabel } from '../../engine/kube/dns-label.js'
import type { KubeObject } from '../../engine/kube/object.js'

const maxNameLength = 253
/** The API server refuses names with `/` or `%`. No kind has a name with spaces or control characters. */
const name = /^[^/%\s\p{Cc}]+$/u

/** Why no API server has an object with this apiVersion, kind, namespace or name; undefined if one can have it. */
export function addressProblem({ apiVersion = '', kind = '', metadata }: KubeObject): string | undefined {
  const { namespace } = metadata
  if (!isApiVersion(String(apiVersion)))
    return `with the apiVersion ${quoteShort(apiVersion)}; use v1, or GROUP/VERSION`
  if (!/^[A-Za-z][A-Za-z0-9]{0,62}$/.test(kind))
    return `with the kind ${quoteShort(kind)}; use letters and digits`
  if (!isName(metadata.name))
    return `with the name ${quoteShort(metadata.name)}; use letters, digits, "-" and "."`
  if (namespace === undefined || namespace === null || namespace === '' || isDnsLabel(namespace))
    return undefined
  return `with the namespace ${quoteShort(namespace)}; ${dnsLabelRule}`
}

const isName = (text = '') => text.length <= maxNameLength && name.test(text) && text !== '.' && text !== '..'

/** Names an object in a message, by its kind if that can be shown. */
export function whatOf({ kind = '' }: KubeObject): string {
  return /^[A-Za-z]+$/.test(kind) ? `an object of kind ${kind}` : 'an object'
}

const maxShownLength = 80
const quoteShort = (value: unknown) => {
  const text = JSON.stringify(value) ?? ''
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}
