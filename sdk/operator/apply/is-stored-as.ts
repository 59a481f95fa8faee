import { isJsonObject } from '../../engine/kube/json-object.js'
import { isSameQuantity } from '../../engine/kube/quantity.js'
import { isEmpty } from './strip-absent.js'

/**
 * The values that API servers fill in within parts of built-in kinds that belong to one field manager as a whole:
 * atomic lists, such as the sources of a projected volume or the rules of a NetworkPolicy, and atomic maps, such as
 * `fieldRef`.
 */
const defaults: Readonly<Record<string, readonly unknown[]>> = {
  apiGroup: ['', 'rbac.authorization.k8s.io'],
  apiVersion: ['v1'],
  defaultMode: [420],
  divisor: ['0'],
  expirationSeconds: [3600],
  kind: ['PersistentVolumeClaim'],
  phase: ['Pending'],
  protocol: ['TCP'],
  scope: ['*'],
  status: ['True', { phase: 'Pending' }],
  volumeMode: ['Filesystem'],
}

/**
 * Whether an API server that was sent `intent` stores `live`. It compares quantities and times by value. `isBuiltIn`
 * says whether the kind is part of Kubernetes: such kinds do not store the empty value of most members, and fill in
 * defaults.
 */
export function isStoredAs(intent: unknown, live: unknown, isBuiltIn: boolean): boolean {
  if (live === undefined || live === null) return isBuiltIn ? isZero(intent) : isEmpty(intent)
  if (Array.isArray(intent)) return isStoredList(intent, live, isBuiltIn)
  if (isJsonObject(intent)) return isJsonObject(live) && areStoredMembers(intent, live, isBuiltIn)
  return intent === live || isSameQuantity(intent, live) || (isBuiltIn && isSameTime(intent, live))
}

function isStoredList(intent: readonly unknown[], live: unknown, isBuiltIn: boolean): boolean {
  if (!Array.isArray(live) || live.length !== intent.length) return false
  return intent.every((item, index) => isStoredAs(item, live[index], isBuiltIn))
}

function areStoredMembers(
  intent: Record<string, unknown>,
  live: Record<string, unknown>,
  isBuiltIn: boolean,
): boolean {
  const added = Object.entries(live).filter(([name]) => intent[name] === undefined)
  return (
    Object.entries(intent).every(([name, member]) => isStoredAs(member, live[name], isBuiltIn)) &&
    added.every(([name, member]) => isBuiltIn && isDefault(name, member))
  )
}

function isDefault(name: string, value: unknown): boolean {
  const defaultValues = Object.hasOwn(defaults, name) ? defaults[name] : undefined
  return (
    defaultValues?.some(
      (one) => one === value || (isJsonObject(one) && areStoredMembers(one, asMembers(value), false)),
    ) ?? false
  )
}

const asMembers = (value: unknown) => (isJsonObject(value) ? value : {})

/** Whether a value is the zero value of its type, or an object of zero values only. Go omits zero values from JSON. */
function isZero(value: unknown): boolean {
  if (value === '' || value === 0 || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.values(value).every(isZero)
}

const timePattern = /^\d{4}-\d{2}-\d{2}T/

function isSameTime(intent: unknown, live: unknown): boolean {
  if (typeof intent !== 'string' || typeof live !== 'string') return false
  return timePattern.test(intent) && timePattern.test(live) && Date.parse(intent) === Date.parse(live)
}
