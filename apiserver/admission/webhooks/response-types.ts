import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import { ownEntry } from '../../base/own-entry.js'

interface MemberType {
  /** Go's name of the type. */
  readonly go: string
  readonly holds: (value: unknown) => boolean
}

const isText = (value: unknown) => typeof value === 'string'
const isInt32 = (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31

const responseTypes = (version: string): Readonly<Record<string, MemberType>> => ({
  uid: { go: 'types.UID', holds: isText },
  allowed: { go: 'bool', holds: (value) => typeof value === 'boolean' },
  patch: { go: '[]uint8', holds: isText },
  patchType: { go: `${version}.PatchType`, holds: isText },
  status: { go: 'v1.Status', holds: isJsonObject },
  warnings: { go: '[]string', holds: Array.isArray },
})

const statusTypes: Readonly<Record<string, MemberType>> = {
  status: { go: 'string', holds: isText },
  message: { go: 'string', holds: isText },
  reason: { go: 'v1.StatusReason', holds: isText },
  code: { go: 'int32', holds: isInt32 },
}

/** The error of Go's decoder for a response with a member of a wrong type; undefined if it has none. */
export function responseTypeProblem(response: unknown, version: string): string | undefined {
  if (response === undefined || response === null) return undefined
  if (!isJsonObject(response)) {
    const type = { go: `${version}.AdmissionResponse`, holds: isJsonObject }
    return mismatch('AdmissionReview.response', type, response)
  }
  for (const [name, value] of Object.entries(response)) {
    const problem =
      memberProblem('AdmissionResponse.response', [name, value], responseTypes(version)) ??
      (name === 'status' ? statusProblem(value) : undefined) ??
      (name === 'warnings' ? warningProblem(value) : undefined)
    if (problem !== undefined) return problem
  }
  return undefined
}

function statusProblem(status: unknown): string | undefined {
  if (!isJsonObject(status)) return undefined
  const problems = Object.entries(status).map((member) =>
    memberProblem('Status.response.status', member, statusTypes),
  )
  return problems.find((problem) => problem !== undefined)
}

function warningProblem(warnings: unknown): string | undefined {
  if (!Array.isArray(warnings)) return undefined
  const wrong = warnings.find((warning) => !isText(warning) && warning !== null)
  if (wrong === undefined) return undefined
  return mismatch('AdmissionResponse.response.warnings', { go: 'string', holds: isText }, wrong)
}

function memberProblem(
  path: string,
  [name, value]: readonly [string, unknown],
  types: Readonly<Record<string, MemberType>>,
): string | undefined {
  const type = ownEntry(types, name)
  if (type === undefined || value === null || type.holds(value)) return undefined
  return mismatch(`${path}.${name}`, type, value)
}

function mismatch(path: string, { go }: MemberType, value: unknown): string {
  const form = go === 'int32' && typeof value === 'number' ? `number ${value}` : formOf(value)
  return `json: cannot unmarshal ${form} into Go struct field ${path} of type ${go}`
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
