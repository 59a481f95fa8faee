import { recordOf } from '../../base/object.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
} from '../../validation/field-error.js'
import { labelName } from '../../validation/names.js'
import { checkRequiredName } from '../../validation/values.js'
import type { Volume } from './spec.js'

/** The required members of the common volume sources. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  configMap: ['name'],
  csi: ['driver'],
  hostPath: ['path'],
  nfs: ['server', 'path'],
  persistentVolumeClaim: ['claimName'],
  secret: ['secretName'],
}
const MODE = 'must be a number between 0 and 0777 (octal), both inclusive'
const MAX_MODE = 0o777

/** The names of a pod's valid volumes, and the errors of the others; an invalid volume cannot be mounted. */
export interface CheckedVolumes {
  readonly errors: readonly FieldError[]
  readonly names: ReadonlySet<string>
}

/** Checks the volumes of a pod; `ValidateVolumes` of Kubernetes v1.36.3. */
export function checkVolumes(volumes: readonly Volume[], path: string): CheckedVolumes {
  const names = new Set<string>()
  const errors = volumes.flatMap((volume, at) => {
    const { name = '', ...sources } = volume
    const own = [
      ...sourceErrors(sources, `${path}[${at}]`),
      ...checkRequiredName(`${path}[${at}].name`, name, labelName),
      ...(names.has(name) ? [duplicate(`${path}[${at}].name`, name)] : []),
    ]
    if (own.length === 0) names.add(name)
    return own
  })
  return { errors, names }
}

function sourceErrors(sources: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  const [first, ...others] = Object.keys(sources)
  if (first === undefined) return [required(path, 'must specify a volume type')]
  const source = recordOf(sources[first])
  const missing = (REQUIRED[first] ?? []).filter((name) => !source[name])
  const { defaultMode = 0 } = source
  const isMode = Number(defaultMode) >= 0 && Number(defaultMode) <= MAX_MODE
  return [
    ...missing.map((name) => required(`${path}.${first}.${name}`, '')),
    ...(first === 'nfs' ? absoluteErrors(`${path}.nfs.path`, String(source.path ?? '')) : []),
    ...(isMode ? [] : [invalidValue(`${path}.${first}.defaultMode`, defaultMode, MODE)]),
    ...others.map((name) => forbiddenValue(`${path}.${name}`, 'may not specify more than 1 volume type')),
  ]
}

function absoluteErrors(field: string, value: string): FieldError[] {
  return value.startsWith('/') ? [] : [invalidValue(field, value, 'must be an absolute path')]
}
