import { alwaysAllow } from '../access/authorizer.js'
import { RbacAuthorizer } from '../access/rbac/rbac-authorizer.js'
import { ServiceAccountTokens } from '../access/tokens/service-account-tokens.js'
import { TokenAuthenticator } from '../access/tokens/token-authenticator.js'
import { machineClock } from '../base/clock.js'
import { createIdentity } from '../base/identity.js'
import type { OpenObject } from '../base/object.js'
import { type ServiceSpec, specOf } from '../kinds/service/spec.js'
import { Store } from '../store/store.js'
import { type OwnerParts, storageKey } from './context.js'
import type { OpenWatches } from './open-watches.js'
import type { ApiServerOptions } from './options.js'
import { NodePorts, ServiceAddresses } from './pools.js'
import { Registry } from './registry.js'

/** Creates the parts of a server; `watches` ends its watches. */
export function createServerParts(options: ApiServerOptions, watches: OpenWatches): OwnerParts {
  const { clock = machineClock, seed, bookmarkIntervalMs = 60_000, watchTimeoutMs = 1_800_000 } = options
  const store = new Store(options)
  const identity = createIdentity(seed)
  const issuer = new ServiceAccountTokens({ store, clock, identity })
  return {
    store,
    registry: new Registry(),
    clock,
    identity,
    authorizer: options.authorization === 'rbac' ? new RbacAuthorizer(store) : alwaysAllow,
    issuer,
    tokens: new TokenAuthenticator(options.tokens ?? {}, issuer),
    bookmarkIntervalMs,
    watchTimeoutMs,
    resolveService: options.resolveService ?? (() => undefined),
    get closing() {
      return watches.signal
    },
    find: (storage, namespace, name) =>
      store.collection(storage).get(storageKey(namespace, name))?.object as OpenObject | undefined,
    all: (storage) => objectsOf(store, storage),
    serviceAddresses: new ServiceAddresses((address) => isHeld(store, (spec) => spec.clusterIP === address)),
    nodePorts: new NodePorts((port) => isHeld(store, (spec) => opensPort(spec, port))),
  }
}

function* objectsOf(store: Store, storage: string): Iterable<OpenObject> {
  for (const { object } of store.collection(storage).scan()) yield object as OpenObject
}

function isHeld(store: Store, holds: (spec: ServiceSpec) => boolean): boolean {
  for (const { object } of store.collection('services').scan()) {
    if (holds(specOf(object as OpenObject))) return true
  }
  return false
}

function opensPort({ ports = [], healthCheckNodePort }: ServiceSpec, port: number): boolean {
  return healthCheckNodePort === port || ports.some(({ nodePort }) => nodePort === port)
}
