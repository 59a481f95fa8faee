import type { Client } from '../../sdk/engine/client/client.js'
import { type CustomResourceDefinition, pods } from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { Key } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { type Logger, silentLogger } from '../../sdk/engine/observe/logger.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { type Backup, backupDefinition, backups } from '../../sdk/operator/backups.fixture.js'
import type { ControllerOptions } from '../../sdk/operator/controller/definition.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { until } from '../until.js'
import { type ControlPlane, openControlPlane } from './open-control-plane.js'

type Tap = { teardown(done: () => unknown): void }

/** An operator of Backups that runs, and what it sends and logs. */
export interface StartedOperator {
  readonly operator: Operator
  /** Its writes but for its Lease, as method and path. */
  readonly writes: string[]
  /** Its other requests except watches, likewise. */
  readonly reads: string[]
  /** The messages of its warnings and errors, with their errors. */
  readonly warnings: string[]
  stop(): Promise<void>
  /** Resolves when it has had nothing to do for a while, so that late events of other controllers have arrived. */
  quiet(): Promise<void>
}

/** Options of an operator of Backups. */
export interface StartOptions {
  /** Default `memcached-operator`. */
  readonly name?: string
  /** Further controllers; default none. */
  readonly register?: (operator: Operator) => unknown
  /** Wraps its connection; default unchanged. */
  readonly wrap?: (transport: Transport) => Transport
  /** Default true. */
  readonly leaderElection?: boolean
}

/** A control plane with the definition of Backups. */
export interface BackupsCluster extends ControlPlane {
  /** An object; undefined if there is none. */
  get<T extends KubeObject>(resource: Resource<T>, at: Key): Promise<T | undefined>
  /** Resolves when an object is gone. */
  gone(resource: Resource, at: Key): Promise<void>
  /** Starts an operator with a controller of Backups. It ends with the test, or by `stop`. */
  start(options: ControllerOptions<Backup> | undefined, more?: StartOptions): Promise<StartedOperator>
}

/** Starts a control plane that serves Backups, and further definitions. It ends with the test. */
export async function openBackups(
  t: Tap,
  definitions: readonly CustomResourceDefinition[] = [],
): Promise<BackupsCluster> {
  const plane = await openControlPlane(t, [backupDefinition, ...definitions])
  const { client, startOperator } = plane
  const get = <T extends KubeObject>(resource: Resource<T>, at: Key): Promise<T | undefined> =>
    client.get(resource, at).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    })
  return {
    ...plane,
    get,
    gone: (resource, at) => until(async () => !(await get(resource, at))),
    start: async (options, { name = 'memcached-operator', register, wrap, ...more } = {}) => {
      const sent = { writes: [] as string[], reads: [] as string[] }
      const warnings: string[] = []
      const operator = await startOperator({
        ...more,
        name,
        logger: warningsTo(warnings),
        register: async (one) => {
          if (options) one.register(controller(backups, options))
          await register?.(one)
        },
        wrap: (inner) => recording(wrap?.(inner) ?? inner, sent),
      })
      return { operator, ...sent, warnings, stop: () => operator.stop(), quiet: () => quiet(operator) }
    },
  }
}

/** The same transport, recording each request but for those of Leases. */
function recording(
  inner: Transport,
  { writes, reads }: Pick<StartedOperator, 'writes' | 'reads'>,
): Transport {
  return {
    request: (request) => {
      const isLease = request.path.includes('/leases')
      const sent = request.method === 'GET' ? reads : writes
      if (!isLease) sent.push(`${request.method} ${request.path.split('?')[0]}`)
      return inner.request(request)
    },
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  }
}

function warningsTo(warnings: string[]): Logger {
  const note = ({ error }: { error?: unknown }, message: string) =>
    void warnings.push(error === undefined ? message : `${message}: ${error}`)
  const logger: Logger = { ...silentLogger, warn: note, error: note, child: () => logger }
  return logger
}

async function quiet(operator: Operator): Promise<void> {
  for (let idle = 0; idle < 40; idle = operator.isIdle() ? idle + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Makes the Pods with a label ready, in place of a kubelet, so that the controllers of their workloads see them. */
export async function makePodsReady(client: Client, labelSelector: string): Promise<void> {
  const { items } = await client.list(pods, { namespace: 'default', labelSelector })
  const condition = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }
  for (const { metadata } of items) {
    const at = { namespace: 'default', name: metadata.name ?? '' }
    const body = { status: { phase: 'Running', conditions: [condition] } }
    await client.patch(pods, at, { type: 'merge', subresource: 'status', body }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }
}
