/** The members of a Service's `spec`, and of its ports, that an API server allocates if a client leaves them out. */
const allocatedByServers: ReadonlySet<string> = new Set([
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'healthCheckNodePort',
])

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {}

/** An API server never allocates `None`: a client asks for a Service without an address. */
const isAllocated = (name: string, value: unknown): boolean =>
  allocatedByServers.has(name) && ![value].flat().includes('None')

/** A Service without the allocated members that the stated one leaves out. */
export const withoutAllocations = <T extends object>(service: T, stated: object): T =>
  inSpec(service, stated, (members, statedMembers) =>
    filtered(members, (name, value) => !isAllocated(name, value) || Boolean(statedMembers[name])),
  )

/** A Service that asks for no address and port of its own. One without an address, which has `None`, stays so. */
export const withoutAddresses = <T extends object>(service: T): T =>
  inSpec(service, {}, (members) => filtered(members, (name, value) => !isAllocated(name, value)))

/** A Service with the addresses and ports that are stated. */
export const withStatedAddresses = <T extends object>(service: T, stated: object): T =>
  inSpec(service, stated, (members, statedMembers) => ({
    ...members,
    ...filtered(statedMembers, (name, value) => allocatedByServers.has(name) && Boolean(value)),
  }))

type Change = (members: Members, statedMembers: Members) => Members

/** Changes the `spec` of a Service and each of its ports, by the same places of the stated Service. */
function inSpec<T extends object>(service: T, stated: object, change: Change): T {
  const { spec } = membersOf(service)
  if (spec === undefined) return service
  const statedSpec = membersOf(membersOf(stated).spec)
  const { ports, ...members } = membersOf(spec)
  const changedPorts = Array.isArray(ports) && {
    ports: ports.map((port, i) => change(membersOf(port), membersOf(membersOf(statedSpec.ports)[i]))),
  }
  return { ...service, spec: { ...change(members, statedSpec), ...changedPorts } }
}

const filtered = (members: Members, keeps: (name: string, value: unknown) => boolean): Members =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => keeps(name, value)))
