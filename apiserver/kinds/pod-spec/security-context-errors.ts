/** Security contexts of pods and containers; `ValidateSecurityContext` of Kubernetes v1.36.3. */
import { recordOf, textAt } from '../../base/object.js'
import {
  duplicate,
  type FieldError,
  invalidValue,
  required,
  tooLong,
  unsupported,
} from '../../validation/field-error.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { internalContext } from './internal-context.js'
import { windowsErrors } from './windows-errors.js'

interface Profile {
  readonly type?: string
  readonly localhostProfile?: string
}

const maxId = 2_147_483_647
const maxProfile = 4095
const profiles = ['Localhost', 'RuntimeDefault', 'Unconfined']
/** The policies of a pod, with their values. */
const policies: Readonly<Record<string, readonly string[]>> = {
  supplementalGroupsPolicy: ['Merge', 'Strict'],
  // Others belong to a feature that is off by default.
  seLinuxChangePolicy: ['Recursive'],
}

type Context = Readonly<Record<string, unknown>>

/** The errors of a pod's security context. */
export function podSecurityErrors(context: unknown, path: string): FieldError[] {
  const members = recordOf(context)
  const { supplementalGroups: groups, seccompProfile, appArmorProfile } = members
  const listed = Array.isArray(groups) ? groups : []
  return [
    ...['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((name) => idErrors(`${path}.${name}`, members[name])),
    ...listed.flatMap((id, index) => idErrors(`${path}.supplementalGroups[${index}]`, id)),
    ...sysctlErrors(members.sysctls, `${path}.sysctls`),
    ...choiceErrors(`${path}.fsGroupChangePolicy`, members.fsGroupChangePolicy, ['Always', 'OnRootMismatch']),
    ...profileErrors({ seccompProfile }, path),
    ...windowsErrors(members.windowsOptions, `${path}.windowsOptions`),
    ...profileErrors({ appArmorProfile }, path),
    ...Object.entries(policies).flatMap(([name, allowed]) =>
      choiceErrors(`${path}.${name}`, members[name], allowed),
    ),
  ]
}

const sysctl = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'
/** The form of a sysctl as an expression that needs no backtracking. */
const sysctlForm = /^[a-z0-9]+(?:[-_]+[a-z0-9]+)*(?:[./][a-z0-9]+(?:[-_]+[a-z0-9]+)*)*$/
const maxSysctl = 253

function sysctlErrors(sysctls: unknown, path: string): FieldError[] {
  const names = Array.isArray(sysctls) ? sysctls.map((each) => textAt(each, 'name')) : []
  const repeated = repeatedIndexes(names)
  const why = `must have at most ${maxSysctl} characters and match regex ${sysctl}`
  return names.flatMap((name, index) => {
    const field = `${path}[${index}].name`
    if (name === '') return [required(field, '')]
    if (name.length > maxSysctl || !sysctlForm.test(name)) return [invalidValue(field, name, why)]
    return repeated.has(index) ? [duplicate(field, name)] : []
  })
}

/** The errors of a container's security context. */
export function containerSecurityErrors(context: unknown, path: string, hasHostUsers: boolean): FieldError[] {
  const members = recordOf(context)
  const { appArmorProfile, seccompProfile } = members
  return [
    ...['runAsUser', 'runAsGroup'].flatMap((name) => idErrors(`${path}.${name}`, members[name])),
    ...mountErrors(members.procMount, `${path}.procMount`, hasHostUsers),
    ...profileErrors({ seccompProfile }, path),
    ...escalationErrors(members, path),
    ...windowsErrors(members.windowsOptions, `${path}.windowsOptions`),
    ...profileErrors({ appArmorProfile }, path),
  ]
}

function mountErrors(type: unknown, field: string, hasHostUsers: boolean): FieldError[] {
  const isOpen = type === 'Unmasked' && hasHostUsers
  return [
    ...choiceErrors(field, type, ['Default', 'Unmasked']),
    ...(isOpen ? [invalidValue(field, type, '`hostUsers` must be false to use `Unmasked`')] : []),
  ]
}

const noEscalation = 'cannot set `allowPrivilegeEscalation` to false and'

function escalationErrors(context: Context, path: string): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return []
  const added = recordOf(context.capabilities).add
  const admin = Array.isArray(added) ? added.filter((name) => name === 'CAP_SYS_ADMIN') : []
  const refuse = (reason: string) => invalidValue(path, internalContext(context), `${noEscalation} ${reason}`)
  // One error for all: each contains the whole list.
  const adminErrors = admin.slice(0, 1).map(() => refuse('`capabilities.Add` CAP_SYS_ADMIN'))
  return [
    ...(context.privileged === true ? [refuse('`privileged` to true')] : []),
    ...admin.flatMap(() => adminErrors),
  ]
}

function idErrors(field: string, id: unknown): FieldError[] {
  if (typeof id !== 'number' && typeof id !== 'bigint') return []
  return id >= 0 && id <= maxId ? [] : [invalidValue(field, id, `must be between 0 and ${maxId}, inclusive`)]
}

function choiceErrors(field: string, value: unknown, allowed: readonly string[]): FieldError[] {
  if (value === undefined || allowed.includes(String(value))) return []
  return [unsupported(field, JSON.stringify(value), allowed)]
}

function profileErrors({ seccompProfile, appArmorProfile }: Context, path: string): FieldError[] {
  return [
    ...(seccompProfile === undefined
      ? []
      : seccompErrors(recordOf(seccompProfile), `${path}.seccompProfile`)),
    ...(appArmorProfile === undefined
      ? []
      : appArmorErrors(recordOf(appArmorProfile), `${path}.appArmorProfile`)),
  ]
}

function seccompErrors({ type = '', localhostProfile: file }: Profile, path: string): FieldError[] {
  const field = `${path}.localhostProfile`
  const isLocal = type === 'Localhost'
  const isFileMissing = isLocal && file === undefined
  const shownValue = { Type: type, LocalhostProfile: file ?? null }
  return [
    ...typeErrors(`${path}.type`, type, 'type is required when seccompProfile is set'),
    ...(isFileMissing ? [required(field, 'must be set when seccomp type is Localhost')] : []),
    ...(isLocal || file === undefined
      ? []
      : [invalidValue(field, shownValue, 'can only be set when seccomp type is Localhost')]),
  ]
}

function appArmorErrors({ type = '', localhostProfile: file }: Profile, path: string): FieldError[] {
  const field = `${path}.localhostProfile`
  const errors = typeErrors(`${path}.type`, type, 'type is required when appArmorProfile is set')
  if (errors.length > 0) return errors
  if (type === 'Localhost') return localErrors(field, file)
  const why = 'can only be set when AppArmor type is Localhost'
  return file === undefined ? [] : [invalidValue(field, file, why)]
}

function typeErrors(field: string, type: string, missingText: string): FieldError[] {
  if (type === '') return [required(field, missingText)]
  return profiles.includes(type) ? [] : [unsupported(field, JSON.stringify(type), profiles)]
}

function localErrors(field: string, file = ''): FieldError[] {
  const missingError = required(field, 'must be set when AppArmor type is Localhost')
  if (file === '') return [missingError]
  return [
    ...(file.trim() === file ? [] : [invalidValue(field, file, 'must not be padded with whitespace')]),
    ...(Buffer.byteLength(file) > maxProfile ? [tooLong(field, maxProfile)] : []),
  ]
}
