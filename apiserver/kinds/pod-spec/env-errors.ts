import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkConfigKey, checkSubdomainName } from '../../validation/names.js'
import { checkName, checkRequiredName } from '../../validation/values.js'
import { fieldPathErrors, resourceFieldErrors } from '../downward-field-errors.js'
import type { Container, EnvVar, KeyRef } from './spec.js'

const nameRule =
  "a valid environment variable name must consist only of printable ASCII characters other than '='"
/** The errors of a container's environment. */
export function envErrors({ env = [], envFrom = [] }: Container, path: string): FieldError[] {
  return [
    ...env.flatMap((variable, index) => variableErrors(variable, `${path}.env[${index}]`)),
    ...envFrom.flatMap(({ configMapRef, secretRef }, index) =>
      sourceErrors([configMapRef, secretRef], `${path}.envFrom`, `${path}.envFrom[${index}]`),
    ),
  ]
}

function sourceErrors(sources: readonly unknown[], path: string, sourcePath: string): FieldError[] {
  const givenSources = sources.filter((source) => source !== undefined)
  if (givenSources.length === 0)
    return [invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`')]
  const [name] = givenSources.map((source) => (source as KeyRef).name ?? '')
  const field = sources[0] === undefined ? 'secretRef' : 'configMapRef'
  const named = checkRequiredName(`${sourcePath}.${field}.name`, name ?? '', checkSubdomainName)
  return givenSources.length > 1 ? [...named, invalidValue(path, '', twoSources)] : named
}

const twoSources = 'may not have more than one field specified at a time'

function variableErrors(variable: EnvVar, path: string): FieldError[] {
  const { name = '' } = variable
  const isPlain = /^[ -<>-~]*$/.test(name)
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : []),
    ...(isPlain ? [] : [invalidValue(`${path}.name`, name, nameRule)]),
    ...valueErrors(variable, `${path}.valueFrom`),
  ]
}

function valueErrors({ value = '', valueFrom }: EnvVar, path: string): FieldError[] {
  if (valueFrom === undefined) return []
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef]
  const count = sources.filter((source) => source !== undefined).length
  const errors = [
    ...(fieldRef ? fieldPathErrors(fieldRef, { path: `${path}.fieldRef`, isFile: false }) : []),
    ...(resourceFieldRef
      ? resourceFieldErrors(resourceFieldRef, { path: `${path}.resourceFieldRef`, isFile: false })
      : []),
    ...(configMapKeyRef ? keyErrors(configMapKeyRef, `${path}.configMapKeyRef`) : []),
    ...(secretKeyRef ? keyErrors(secretKeyRef, `${path}.secretKeyRef`) : []),
  ]
  if (count === 0) return [invalidValue(path, '', noSource)]
  if (value !== '')
    return [...errors, invalidValue(path, '', 'may not be specified when `value` is not empty')]
  return count > 1 ? [...errors, invalidValue(path, '', twoSources)] : errors
}

const noSource =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'

function keyErrors({ name = '', key = '' }: KeyRef, path: string): FieldError[] {
  return [
    ...checkName(`${path}.name`, name, checkSubdomainName),
    ...checkRequiredName(`${path}.key`, key, checkConfigKey),
  ]
}
