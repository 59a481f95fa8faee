import { recordOf, textAt } from '../../base/object.js'
import { maxWarnings } from './max-warnings.js'
import { listAt } from './node-label-warnings.js'

/** A container with its path. */
export interface ContainerAtPath {
  readonly container: Record<string, unknown>
  readonly path: string
}

interface Port {
  readonly at: string
  readonly host: number
  readonly ip: string
  readonly id: string
  readonly port: Record<string, unknown>
}

function portsOf({ container, path }: ContainerAtPath): Port[] {
  return listAt(container, 'ports').map((port, index) => {
    const { containerPort = 0, hostPort = 0, protocol = '' } = port
    const at = `${path}.ports[${index}]`
    return {
      at,
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
  const seen = new Map<string, Port[]>()
  const found: string[] = []
  for (const port of ports) {
    if (port.ip !== '' && port.host === 0)
      found.push(`${port.at}: hostIP set without hostPort: ${printPort(port.port)}`)
    const others = seen.get(port.id) ?? []
    for (const other of others) {
      if (found.length >= maxWarnings) return found
      const kind = overlapOf(port, other)
      if (kind !== undefined) found.push(`${port.at}: ${kind} port definition with ${other.at}`)
    }
    others.push(port)
    seen.set(port.id, others)
  }
  return found
}

function overlapOf(one: Port, other: Port): string | undefined {
  if (one.ip === other.ip && one.host === other.host) return 'duplicate'
  if (one.host === 0 || other.host === 0) return 'overlapping'
  const isOneOpen = (one.ip === '') !== (other.ip === '')
  return one.host === other.host && isOneOpen ? 'dangerously ambiguous' : undefined
}

/** The port as Go prints its type. */
function printPort(port: Record<string, unknown>): string {
  const { containerPort, hostPort = 0 } = port
  const text = (name: string) => textAt(port, name)
  return `{Name:${text('name')} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${text('protocol')} HostIP:${text('hostIP')}}`
}

function nameWarnings(ports: readonly Port[]): string[] {
  const seen = new Map<string, string>()
  return ports.flatMap(({ at, port }) => {
    const name = textAt(port, 'name')
    const other = seen.get(name)
    if (name !== '' && other === undefined) seen.set(name, at)
    if (other === undefined) return []
    const use = `services and probes that select ports by name will use ${other}`
    return [`${at}: duplicate port name "${name}" with ${other}, ${use}`]
  })
}

/** All containers of a pod, in Go's order. */
export function containersAt(spec: object, path: string): ContainerAtPath[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    listAt(recordOf(spec), field).map((container, at) => ({ container, path: `${path}.${field}[${at}]` })),
  )
}
