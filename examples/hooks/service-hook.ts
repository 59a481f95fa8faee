import { ClientHook, type HookContext, type Service, services } from 'vcluster-plugin-sdk'
import { isCopiedToUser } from './copied-to-user.js'

type Port = NonNullable<NonNullable<Service['spec']>['ports']>[number]

/** The port that each Service has on the host. `appProtocol` tells it from one that a user wrote. */
const added: Port = {
  name: 'plugin',
  protocol: 'TCP',
  port: 19_000,
  targetPort: 19_000,
  appProtocol: 'example.com/plugin',
}

/** vcluster writes it on each copy. */
const copyOf = 'vcluster.loft.sh/object-name'

/** The name on the host of a single port without a name: each of several ports needs one. */
const nameOfUnnamed = 'plugin-unnamed'

/**
 * Adds a port to each Service of type `ClusterIP` on the host. vcluster makes the host's ports equal to those of the virtual
 * Service, so the hook also shows the port to vcluster on the virtual Service (`GetVirtual`). vcluster writes Services as it
 * read them, so the hook takes the port out of each write to the virtual cluster: not only `UpdateVirtual` but also
 * `CreateVirtual`, because vcluster deletes and creates a virtual Service whose cluster IP on the host differs.
 */
export class ServiceHook extends ClientHook<Service> {
  constructor() {
    super('service-hook', services)
  }

  override mutateCreatePhysical(_: HookContext, service: Service): Service {
    // vcluster also makes Services of its own, which are no copies.
    const isCopy = service.metadata.annotations?.[copyOf] !== undefined
    return !isCopy || isCopiedToUser(service) ? service : withPort(service)
  }

  /** Adds the port to a Service that was created without it, see {@link isCopiedToUser}. */
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
  // A port of another type would be open on every node. A port that the user has at that place stays.
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
