/** Options for Windows; `validateWindowsSecurityContextOptions` and its host processes of Kubernetes v1.36.3. */
import { recordOf } from '../../base/object.js'
import { type FieldError, invalidValue } from '../../validation/field-error.js'
import { checkSubdomainName } from '../../validation/names.js'
import { checkName } from '../../validation/values.js'
import type { Container, PodSpec } from './spec.js'

const maxSpec = 64 * 1024
const maxDomain = 256
const maxUser = 104
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const dnsLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const dns = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`)
const badUser = /["/\\:;|=,+*?<>@[\]]/
const control = /[\p{Cc}]/u

/** The errors of the options of a pod or container. */
export function windowsErrors(options: unknown, path: string): FieldError[] {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = recordOf(options)
  return [
    ...(name === undefined
      ? []
      : checkName(`${path}.gmsaCredentialSpecName`, String(name), checkSubdomainName)),
    ...(spec === undefined ? [] : specErrors(String(spec), `${path}.gmsaCredentialSpec`)),
    ...(user === undefined
      ? []
      : userProblems(String(user)).map((why) => invalidValue(`${path}.runAsUserName`, user, why))),
  ]
}

function specErrors(spec: string, field: string): FieldError[] {
  if (spec === '') return [invalidValue(field, spec, 'gmsaCredentialSpec cannot be an empty string')]
  const isLong = Buffer.byteLength(spec) > maxSpec
  return isLong ? [invalidValue(field, spec, 'gmsaCredentialSpec size must be under 64 KiB')] : []
}

function userProblems(text: string): string[] {
  if (text === '') return ['runAsUserName cannot be an empty string']
  if (control.test(text)) return ['runAsUserName cannot contain control characters']
  const [user = '', domain, ...excess] = text.split('\\').reverse()
  if (excess.length > 0) return ['runAsUserName cannot contain more than one backslash']
  return [
    ...(domain === undefined ? [] : domainProblems(domain)),
    ...nameProblems(user).map((problem) => `runAsUserName's User ${problem}`),
  ]
}

function domainProblems(domain: string): string[] {
  const isLong = Buffer.byteLength(domain) >= maxDomain
  return [
    ...(isLong ? [`runAsUserName's Domain length must be under ${maxDomain} characters`] : []),
    ...(netBios.test(domain) || dns.test(domain)
      ? []
      : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ]
}

function nameProblems(user: string): string[] {
  const isLong = Buffer.byteLength(user) > maxUser
  return [
    ...(user === '' ? ['cannot be empty'] : []),
    ...(isLong ? [`length must not be longer than ${maxUser} characters`] : []),
    ...(/^[. ]+$/.test(user) ? ['cannot contain only periods or spaces'] : []),
    ...(badUser.test(user) ? ['cannot contain the following characters: "/\\:;|=,+*?<>@[]'] : []),
  ]
}

const hostProcessOf = (context: unknown): unknown => recordOf(recordOf(context).windowsOptions).hostProcess

/** The errors of host processes: all containers of a pod must be host processes, or none. */
export function hostProcessErrors(spec: PodSpec, path: string): FieldError[] {
  const ofPod = hostProcessOf(spec.securityContext)
  const containers = containersOf(spec, path)
  const count = containers.filter(({ own }) => own === true || (own === undefined && ofPod === true)).length
  const why = `pod hostProcess value must be identical if both are specified, was ${String(ofPod)}`
  const mixed =
    'If pod contains any hostProcess containers then all containers must be HostProcess containers'
  const network = 'hostNetwork must be true if pod contains any hostProcess containers'
  return [
    ...containers.flatMap(({ own, containerPath }) =>
      ofPod === undefined || own === undefined || own === ofPod
        ? []
        : [invalidValue(`${containerPath}.securityContext.windowsOptions.hostProcess`, own, why)],
    ),
    ...(count > 0 && count !== containers.length ? [invalidValue(path, '', mixed)] : []),
    ...(count > 0 && spec.hostNetwork !== true ? [invalidValue(`${path}.hostNetwork`, false, network)] : []),
  ]
}

function containersOf(
  spec: PodSpec,
  path: string,
): { readonly own: unknown; readonly containerPath: string }[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).map(({ securityContext }: Container, index) => ({
      own: hostProcessOf(securityContext),
      containerPath: `${path}.${field}[${index}]`,
    })),
  )
}
