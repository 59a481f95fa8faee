/** The errors of a CertificateSigningRequest; `validateCertificateSigningRequest` of Kubernetes v1.36.3. */
import { X509Certificate } from 'node:crypto'
import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf } from '../../base/object.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../../validation/field-error.js'
import { requestProblem } from './certificate-request.js'
import { type Condition, conditionErrors, conditionsOf } from './condition-errors.js'
import { pemBlocks } from './pem.js'
import { signerNameErrors } from './signer-name-errors.js'

interface Spec {
  readonly request?: string | null
  readonly usages?: readonly string[]
  readonly signerName?: string
  readonly expirationSeconds?: number
}

const allowedUsages = [
  ...['any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign'],
  ...['data encipherment', 'decipher only', 'digital signature', 'email protection', 'encipher only'],
  ...['ipsec end system', 'ipsec tunnel', 'ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc'],
  ...['netscape sgc', 'ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping'],
]
const legacySigner = 'kubernetes.io/legacy-unknown'
const minSeconds = 600

/** The errors of a new request, or of a write to one. */
export function signingRequestErrors(
  object: OpenObject,
  old: OpenObject | undefined,
  subresource: string,
): FieldError[] {
  return [
    ...specErrors(recordOf(object.spec)),
    ...conditionErrors(conditionsOf(object), old),
    ...certificateErrors(object, old),
    ...(old === undefined ? [] : changeErrors(object, old, subresource)),
  ]
}

function specErrors({ request = null, usages = [], signerName = '', expirationSeconds }: Spec): FieldError[] {
  const problem = requestProblem(request ?? '')
  const short = 'may not specify a duration less than 600 seconds (10 minutes)'
  const isShort = expirationSeconds !== undefined && expirationSeconds < minSeconds
  const legacy = 'the legacy signerName is not allowed via this API version'
  return [
    ...(problem === undefined ? [] : [invalidValue('spec.request', request, problem)]),
    ...usageErrors(usages),
    ...(signerName === legacySigner
      ? [invalidValue('spec.signerName', signerName, legacy)]
      : signerNameErrors('spec.signerName', signerName)),
    ...(isShort ? [invalidValue('spec.expirationSeconds', expirationSeconds, short)] : []),
  ]
}

function usageErrors(usages: readonly string[]): FieldError[] {
  const usagePath = (index: number) => `spec.usages[${index}]`
  const seenUsages = new Set<string>()
  const isRepeated = (usage: string) => seenUsages.size === seenUsages.add(usage).size
  return [
    ...(usages.length === 0 ? [required('spec.usages', '')] : []),
    ...usages.flatMap((usage, index) =>
      allowedUsages.includes(usage)
        ? []
        : [unsupported(usagePath(index), JSON.stringify(usage), allowedUsages)],
    ),
    ...usages.flatMap((usage, index) => (isRepeated(usage) ? [duplicate(usagePath(index), usage)] : [])),
  ]
}

const certificateOf = ({ status }: OpenObject) => String(recordOf(status).certificate ?? '')

/** A certificate that was stored in another form before may stay. */
function certificateErrors(object: OpenObject, old: OpenObject | undefined): FieldError[] {
  const certificate = certificateOf(object)
  if (old !== undefined && certificateOf(old) === certificate) return []
  const problem = certificateProblem(certificate)
  return problem === undefined ? [] : [invalidValue('status.certificate', '<certificate data>', problem)]
}

function certificateProblem(certificate: string): string | undefined {
  if (certificate === '') return undefined
  const blocks = pemBlocks(Buffer.from(certificate, 'base64').toString('latin1'))
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block'
  const other = blocks.find(({ label }) => label !== 'CERTIFICATE')
  if (other !== undefined)
    return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(other.label)}`
  if (blocks.some(({ hasHeaders }) => hasHeaders)) return 'no PEM block headers are permitted'
  return blocks.every(({ bytes }) => isCertificate(bytes)) ? undefined : 'x509: malformed certificate'
}

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der).raw.length > 0
  } catch {
    // Not a certificate; the caller reports it.
    return false
  }
}

const decisions = ['Approved', 'Denied']

function changeErrors(object: OpenObject, old: OpenObject, subresource: string): FieldError[] {
  const ofType = (each: OpenObject, type: string) =>
    conditionsOf(each).filter((condition) => condition.type === type)
  const field = 'status.conditions'
  const removed = [...decisions, 'Failed'].filter(
    (type) => ofType(object, type).length < ofType(old, type).length,
  )
  return [
    ...removed.map((type) => forbiddenValue(field, `updates may not remove a condition of type "${type}"`)),
    ...(subresource === 'approval'
      ? []
      : decisionErrors((type) => [ofType(object, type), ofType(old, type)])),
    ...resetErrors(certificateOf(object), certificateOf(old), subresource),
  ]
}

type Conditions = readonly Condition[]

/** Only a write to the approval decides about a request. */
function decisionErrors(
  pairOf: (type: string) => readonly [now: Conditions, before: Conditions],
): FieldError[] {
  return decisions.flatMap((type) => {
    const [now, before] = pairOf(type)
    const refuse = (verb: string) =>
      forbiddenValue('status.conditions', `updates may not ${verb} a condition of type "${type}"`)
    if (now.length > before.length) return [refuse('add')]
    return now.length < before.length || jsonEqual(now, before) ? [] : [refuse('modify')]
  })
}

function resetErrors(certificate: string, old: string, subresource: string): FieldError[] {
  if (certificate === old) return []
  const field = 'status.certificate'
  if (subresource !== 'status') return [forbiddenValue(field, 'updates may not set certificate content')]
  return old === '' ? [] : [forbiddenValue(field, 'updates may not modify existing certificate content')]
}
