import { type FieldError, invalidValue, required, tooLong } from '../../validation/field-error.js'
import { checkSubdomainName } from '../../validation/names.js'

const maxLength = 63

/** The errors of a CSI driver's name; `ValidateCSIDriverName` of Kubernetes v1.36.3. */
export function driverNameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field, '')]
  const problem = checkSubdomainName(name.toLowerCase())
  return [
    ...(name.length > maxLength ? [tooLong(field, maxLength)] : []),
    ...(problem === undefined ? [] : [invalidValue(field, name, problem)]),
  ]
}
