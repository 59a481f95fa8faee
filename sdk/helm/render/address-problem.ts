import { isApiVersion } from '../../engine/kube/api-version.js'
import { dnsLabelRule, isDnsLabel } from '../../engine/kube/dns-label.js'
import type { KubeObject } from '../../engine/kube/object.js'

const maxName = 253
/** The API server refuses names with `/` or `%`. No kind has a name with spaces or control characters. */
const name = /^[^/%\s\p{Cc}]+$/u

/** Why no API server has an object with this apiVersion, kind, namespace or name; undefined if one can have it. */
export function addressProblem({ apiVersion = '', kind = '', metadata }: KubeObject): string | undefined {
  const { namespace } = metadata
  if (!isApiVersion(String(apiVersion)))
    return `with the apiVersion ${shown(apiVersion)}; use v1, or GROUP/VERSION`
  if (!/^[A-Za-z][A-Za-z0-9]{0,62}$/.test(kind)) return `with the kind ${shown(kind)}; use letters and digits`
  if (!isName(metadata.name)) return `with the name ${shown(metadata.name)}; use letters, digits, "-" and "."`
  if (namespace === undefined || namespace === null || namespace === '' || isDnsLabel(namespace))
    return undefined
  return `with the namespace ${shown(namespace)}; ${dnsLabelRule}`
}

const isName = (text = '') => text.length <= maxName && name.test(text) && text !== '.' && text !== '..'

/** Names an object in a message, by its kind if that can be shown. */
export function whatOf({ kind = '' }: KubeObject): string {
  return /^[A-Za-z]+$/.test(kind) ? `an object of kind ${kind}` : 'an object'
}

const maxShown = 80
const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? ''
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}
