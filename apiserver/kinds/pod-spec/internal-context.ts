import { recordOf } from '../../base/object.js'

/** The members of Go types by their names in JSON, in order. */
const types = {
  seLinuxOptions: { user: 'User', role: 'Role', type: 'Type', level: 'Level' },
  windowsOptions: {
    gmsaCredentialSpecName: 'GMSACredentialSpecName',
    gmsaCredentialSpec: 'GMSACredentialSpec',
    runAsUserName: 'RunAsUserName',
    hostProcess: 'HostProcess',
  },
  capabilities: { add: 'Add', drop: 'Drop' },
  seccompProfile: { type: 'Type', localhostProfile: 'LocalhostProfile' },
  appArmorProfile: { type: 'Type', localhostProfile: 'LocalhostProfile' },
} as const

const members: readonly [name: string, goName: string][] = [
  ['capabilities', 'Capabilities'],
  ['privileged', 'Privileged'],
  ['seLinuxOptions', 'SELinuxOptions'],
  ['windowsOptions', 'WindowsOptions'],
  ['runAsUser', 'RunAsUser'],
  ['runAsGroup', 'RunAsGroup'],
  ['runAsNonRoot', 'RunAsNonRoot'],
  ['readOnlyRootFilesystem', 'ReadOnlyRootFilesystem'],
  ['allowPrivilegeEscalation', 'AllowPrivilegeEscalation'],
  ['procMount', 'ProcMount'],
  ['seccompProfile', 'SeccompProfile'],
  ['appArmorProfile', 'AppArmorProfile'],
]

/** The security context of a container in its internal Go type, which errors print. */
export function internalContext(context: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    members.map(([name, goName]) => {
      const value = context[name]
      return [goName, value === undefined ? null : name in types ? inner(name as Inner, value) : value]
    }),
  )
}

type Inner = keyof typeof types

function inner(name: Inner, value: unknown): object {
  const members = recordOf(value)
  // Texts of SELinux are held by value, everything else by reference.
  const empty = name === 'seLinuxOptions' ? '' : null
  return Object.fromEntries(
    Object.entries(types[name]).map(([member, goName]) => [goName, members[member] ?? empty]),
  )
}
