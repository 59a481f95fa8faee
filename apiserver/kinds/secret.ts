import { jsonProblem } from '../base/json-problem.js'
import { jsonTypeOf } from '../base/json-type.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { ownEntry } from '../base/own-entry.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { validateDataKeys, validateImmutable, validateSize } from './config-map.js'
import { tlsWarnings } from './tls-warnings.js'

/** The required keys of each type. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
}
const basicAuth = ['username', 'password']
const accountName = 'kubernetes.io/service-account.name'

function typeErrors({ type, metadata }: OpenObject, data: Record<string, unknown>): FieldError[] {
  const need = (keys: readonly string[]) => keys.map((key) => required(`data[${key}]`, ''))
  if (type === 'kubernetes.io/basic-auth') {
    return basicAuth.some((key) => data[key] !== undefined) ? [] : need(basicAuth)
  }
  if (type === 'kubernetes.io/service-account-token') {
    const isNamed = Boolean(metadata.annotations?.[accountName])
    return isNamed ? [] : [required(`metadata.annotations[${accountName}]`, '')]
  }
  const isThere = (key: string) => (key === 'ssh-privatekey' ? Boolean(data[key]) : data[key] !== undefined)
  const keys = ownEntry(requiredKeys, String(type)) ?? []
  return [...need(keys.filter((key) => !isThere(key))), ...keys.flatMap((key) => jsonErrors(key, data[key]))]
}

/** The credentials for an image registry must be a JSON object; the error does not quote the value. */
function jsonErrors(key: string, value: unknown): FieldError[] {
  if (!key.startsWith('.docker') || value === undefined) return []
  const problem = dockerProblem(Buffer.from(String(value), 'base64').toString('utf8'))
  return problem === undefined ? [] : [invalidValue(`data[${key}]`, '<secret contents redacted>', problem)]
}

function dockerProblem(text: string): string | undefined {
  const problem = jsonProblem(text)
  if (problem !== undefined) return problem
  const value: unknown = JSON.parse(text)
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined
  return `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`
}

/** https://kubernetes.io/docs/concepts/configuration/secret/ */
export const secretRules: KindRules = {
  read: {
    selectableFields: { type: (object) => String(object.type ?? '') },
  },
  setDefaults(object) {
    if (object.stringData === undefined) return
    const plain = Object.entries(recordOf(object.stringData))
    const encoded = plain.map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')])
    object.data = { ...recordOf(object.data), ...Object.fromEntries(encoded) }
    delete object.stringData
  },
  validate(object) {
    const data = recordOf(object.data)
    return [...validateDataKeys(data), ...validateSize([{}, data], 'data'), ...typeErrors(object, data)]
  },
  create: {
    warnings: tlsWarnings,
  },
  update: {
    warnings: tlsWarnings,
    validate: (object, old) => [
      ...(object.type === old.type ? [] : [invalidValue('type', object.type, 'field is immutable')]),
      ...validateImmutable(object, old, ['data']),
    ],
  },
}
