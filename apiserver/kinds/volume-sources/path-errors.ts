import { type FieldError, invalidValue } from '../../validation/field-error.js'

const maxMode = 0o777

/** An error for a path with a step to its parent folder. */
export function upwardErrors(field: string, path: string): FieldError[] {
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : []
}

/** The errors of a path that stays in its folder; `validateLocalDescendingPath` of Kubernetes v1.36.3. */
export function relativeErrors(field: string, path: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []),
    ...upwardErrors(field, path),
  ]
}

/** The errors of the path of a file in a volume. Names that begin with two dots are reserved for the volume. */
export function fileErrors(field: string, path: string): FieldError[] {
  const isReserved = path.startsWith('..') && !path.startsWith('../')
  // Another error says it already.
  const isReported = path.split('/').includes('..')
  return [
    ...relativeErrors(field, path),
    ...(isReserved && !isReported ? [invalidValue(field, path, "must not start with '..'")] : []),
  ]
}

/** An error for permissions of a file that do not exist. */
export function modeErrors(field: string, mode: unknown): FieldError[] {
  if (mode === undefined || (Number(mode) >= 0 && Number(mode) <= maxMode)) return []
  return [invalidValue(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
}
