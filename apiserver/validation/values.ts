import { labelKeyProblems } from '../../sdk/engine/kube/label-syntax.js'
import { type FieldError, invalidValue, required, unsupported } from './field-error.js'
import { checkSubdomainName, type NameRule, portNameProblems } from './names.js'
import { addressProblem } from './strict-addresses.js'

/** An error for an invalid name; empty for a valid one. */
export function checkName(field: string, name: string, rule: NameRule): FieldError[] {
  const problem = rule(name)
  return problem === undefined ? [] : [invalidValue(field, name, problem)]
}

/** Errors for a name that is not a valid label key. */
export function checkQualified(field: string, name: string): FieldError[] {
  return labelKeyProblems(name).map((problem) => invalidValue(field, name, problem))
}

/** An error for a required name that is missing or invalid. */
export function checkRequiredName(field: string, name: string, rule: NameRule): FieldError[] {
  return name === '' ? [required(field, '')] : checkName(field, name, rule)
}

/** An error for a text that is missing or not one of the allowed ones. */
export function checkChoice(field: string, value: unknown, allowed: readonly string[]): FieldError[] {
  if (value === undefined || value === null || value === '') return [required(field, '')]
  if (allowed.includes(String(value))) return []
  return [unsupported(field, JSON.stringify(value), allowed)]
}

/** An error for an optional text that is not one of the allowed ones. */
export function checkOptionalChoice(field: string, value: unknown, allowed: readonly string[]): FieldError[] {
  return value === undefined || value === null ? [] : checkChoice(field, value, allowed)
}

/** The problem of a port number, or undefined. */
export function portProblem(port: number): string | undefined {
  return port > 0 && port < 65_536 ? undefined : 'must be between 1 and 65535, inclusive'
}

/** An error for an invalid port number. */
export function checkPort(field: string, port: number): FieldError[] {
  const problem = portProblem(port)
  return problem === undefined ? [] : [invalidValue(field, port, problem)]
}

/** An error for an invalid port, which is a number or a name. */
export function checkPortOrName(field: string, port: string | number): FieldError[] {
  if (typeof port === 'number') return checkPort(field, port)
  return portNameProblems(port).map((problem) => invalidValue(field, port, problem))
}

/** An error for a number below zero. */
export function checkNotNegative(field: string, value: number | undefined | null): FieldError[] {
  if (value === undefined || value === null || value >= 0) return []
  return [invalidValue(field, value, 'must be greater than or equal to 0')]
}

/** An error for a text that is not an IP address. */
export function checkAddress(field: string, address: string): FieldError[] {
  const problem = addressProblem(address)
  return problem === undefined ? [] : [invalidValue(field, address, problem)]
}

const httpPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/

/** Errors for a name without a domain prefix: `IsDomainPrefixedPath` of apimachinery. */
export function domainPathErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field, '')]
  const slash = name.indexOf('/')
  const [domain, path] = slash < 0 ? ['', ''] : [name.slice(0, slash), name.slice(slash + 1)]
  if (domain === '' || path === '') {
    return [invalidValue(field, name, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  }
  const why = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"
  return [
    ...checkName(field, domain, checkSubdomainName),
    ...(httpPath.test(path) ? [] : [invalidValue(field, path, why)]),
  ]
}
