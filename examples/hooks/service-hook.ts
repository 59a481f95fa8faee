import { ClientHook, type HookContext, type Service, services } from 'vcluster-plugin-sdk'

type Port = NonNullable<NonNullable<Service['spec']>['ports']>[number]

/** The port that each Service has on the host. `appProtocol` tells it from one that a user wrote. */
const added: Port = {
  name: 'plugin',
  protocol: 'TCP',
  port: 19_000,
  targetPort: 19_000,
  appProtocol: 'example.com/plugin',
}

/** What a single port without a name is called on the host: of several ports each needs one. */
const nameOfUnnamed = 'plugin-unnamed'

/**
 * Adds a port to each Service on the host. vcluster makes the host's ports equal to those of the virtual Service, so the
 * port is shown to it there, too (`GetVirtual`), and taken out again before vcluster writes the user's own object.
 */
export class ServiceHook extends ClientHook<Service> {
  constructor() {
    super('service-hook', services)
  }

  override mutateCreatePhysical(_: HookContext, service: Service): Service {
    return withPort(service)
  }

  override mutateGetVirtual(_: HookContext, service: Service): Service {
    return withPort(service)
  }

  override mutateUpdateVirtual(_: HookContext, service: Service): Service {
    const ports = service.spec?.ports ?? []
    return ports.some(isAdded) ? withPorts(service, ports.filter(isUsers).map(unnamed)) : service
  }
}

function withPort(service: Service): Service {
  const { type, ports = [] } = service.spec ?? {}
  // An ExternalName is an alias in the DNS; and what a user has at that place stays.
  if (type === 'ExternalName' || ports.some(isInTheWay)) return service
  return withPorts(service, [...ports.map(named), added])
}

const withPorts = (service: Service, ports: Port[]): Service => ({
  ...service,
  spec: { ...service.spec, ports },
})

const isAdded = ({ appProtocol }: Port) => appProtocol === added.appProtocol
const isUsers = (port: Port) => !isAdded(port)
const isInTheWay = ({ name, port, protocol = 'TCP' }: Port) =>
  name === added.name || (port === added.port && protocol === added.protocol)

const named = (port: Port): Port => (port.name ? port : { ...port, name: nameOfUnnamed })

function unnamed(port: Port): Port {
  const { name, ...rest } = port
  return name === nameOfUnnamed ? rest : port
}
