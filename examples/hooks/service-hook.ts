import { ClientHook, type HookContext, type Service, services } from 'vcluster-plugin-sdk'
import { isCopiedToUser } from './copied-to-user.js'

type Port = NonNullable<NonNullable<Service['spec']>['ports']>[number]

/** The port that each Service gets on the host. `appProtocol` distinguishes it from a port of the user. */
const added: Port = {
  name: 'plugin',
  protocol: 'TCP',
  port: 19_000,
  targetPort: 19_000,
  appProtocol: 'example.com/plugin',
}

/** vcluster sets this annotation on each copy. */
const copyOf = 'vcluster.loft.sh/object-name'

/** The name on the host of a single port without a name. With several ports, each needs a name. */
const nameOfUnnamed = 'plugin-unnamed'

/**
 * Adds a port to each Service of type `ClusterIP` on the host. vcluster makes the ports of the host Service
 * equal to those of the virtual Service, so the hook also adds the port to the virtual Service that vcluster
 * reads (`GetVirtual`). vcluster writes Services as it read them, so the hook removes the port from each
 * write to the virtual cluster: from `UpdateVirtual` and also from `CreateVirtual`, because vcluster deletes
 * and recreates a virtual Service whose cluster IP differs from the host's.
 */
export class ServiceHook extends ClientHook<Service> {
  constructor() {
    super('service-hook', services)
  }

  override mutateCreatePhysical(_: HookContext, service: Service): Service {
    // vcluster also creates Services that are not copies.
    const isCopy = service.metadata.annotations?.[copyOf] !== undefined
    return !isCopy || isCopiedToUser(service) ? service : withPort(service)
  }

  /** Adds the port to a Service that was created without it; see {@link isCopiedToUser}. */
  override mutateUpdatePhysical(ctx: HookContext, service: Service): Service {
    return this.mutateCreatePhysical(ctx, service)
  }

  override mutateGetVirtual(_: HookContext, service: Service): Service {
    const { namespace, name } = service.metadata
    // The API server's own Service has no copy.
    return namespace === 'default' && name === 'kubernetes' ? service : withPort(service)
  }

  override mutateCreateVirtual(_: HookContext, service: Service): Service {
    return withoutPort(service)
  }

  override mutateUpdateVirtual(_: HookContext, service: Service): Service {
    return withoutPort(service)
  }
}

function withPort(service: Service): Service {
  const { type = 'ClusterIP', ports = [] } = service.spec ?? {}
  // A port of a NodePort or LoadBalancer Service would be open on every node. A port of the user with the
  // same number is kept.
  if (type !== 'ClusterIP' || ports.some(isInTheWay)) return service
  return withPorts(service, [...ports.map(named), added])
}

function withoutPort(service: Service): Service {
  const ports = service.spec?.ports ?? []
  return ports.some(isAdded) ? withPorts(service, ports.filter(isUsers).map(unnamed)) : service
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
