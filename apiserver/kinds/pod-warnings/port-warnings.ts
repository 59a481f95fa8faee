import { recordOf, textAt } from '../../base/object.js'
import { maxWarnings } from './max-warnings.js'
import { listAt } from './node-label-warnings.js'

/** A container with its path. */
export interface ContainerAtPath {
  readonly container: Record<string, unknown>
  readonly path: string
}

/** A port of a container. */
interface Port {
  readonly path: string
  /** The port on the node; 0 if there is none. */
  readonly host: number
  /** The address on the node; empty for all. */
  readonly ip: string
  /** The port in the container, and its protocol. */
  readonly id: string
  readonly port: Record<string, unknown>
}

function portsOf({ container, path }: ContainerAtPath): Port[] {
  return listAt(container, 'ports').map((port, index) => {
    const { containerPort = 0, hostPort = 0, protocol = '' } = port
    const itemPath = `${path}.ports[${index}]`
    return {
      path: itemPath,
      host: Number(hostPort),
      ip: textAt(port, 'hostIP'),
      id: `${containerPort}/${protocol}`,
      port,
    }
  })
}

/** The warnings for the ports of all containers of a pod; `warningsForPodSpecAndMeta` of Kubernetes v1.36.3. */
export function portWarnings(containers: readonly ContainerAtPath[]): string[] {
  const ports = containers.flatMap(portsOf)
  return [...overlapWarnings(ports), ...nameWarnings(ports)]
}

function overlapWarnings(ports: readonly Port[]): string[] {
  const portsById = new Map<string, Port[]>()
  const warnings: string[] = []
  for (const port of ports) {
    if (port.ip !== '' && port.host === 0)
      warnings.push(`${port.path}: hostIP set without hostPort: ${printPort(port.port)}`)
    const others = portsById.get(port.id) ?? []
    for (const other of others) {
      if (warnings.length >= maxWarnings) return warnings
      const kind = overlapOf(port, other)
      if (kind !== undefined) warnings.push(`${port.path}: ${kind} port definition with ${other.path}`)
    }
    others.push(port)
    portsById.set(port.id, others)
  }
  return warnings
}

function overlapOf(port: Port, other: Port): string | undefined {
  if (port.ip === other.ip && port.host === other.host) return 'duplicate'
  if (port.host === 0 || other.host === 0) return 'overlapping'
  const isOneOpen = (port.ip === '') !== (other.ip === '')
  return port.host === other.host && isOneOpen ? 'dangerously ambiguous' : undefined
}

/** The port as Go prints its type. */
function printPort(port: Record<string, unknown>): string {
  const { containerPort, hostPort = 0 } = port
  const text = (name: string) => textAt(port, name)
  return `{Name:${text('name')} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${text('protocol')} HostIP:${text('hostIP')}}`
}

function nameWarnings(ports: readonly Port[]): string[] {
  const pathsByName = new Map<string, string>()
  return ports.flatMap(({ path, port }) => {
    const name = textAt(port, 'name')
    const firstPath = pathsByName.get(name)
    if (name !== '' && firstPath === undefined) pathsByName.set(name, path)
    if (firstPath === undefined) return []
    const use = `services and probes that select ports by name will use ${firstPath}`
    return [`${path}: duplicate port name "${name}" with ${firstPath}, ${use}`]
  })
}

/** All containers of a pod, in Go's order. */
export function containersAt(spec: object, path: string): ContainerAtPath[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    listAt(recordOf(spec), field).map((container, index) => ({
      container,
      path: `${path}.${field}[${index}]`,
    })),
  )
}
