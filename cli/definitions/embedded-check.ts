import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { resourceOf } from '../../sdk/engine/cluster/definition.js'
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  namespaces,
} from '../../sdk/engine/kube/builtin.js'
import { ApiError, isConflict, PluginError } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { sleep, systemClock } from '../../sdk/engine/time/clock.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'

/** An object that the API server rejects under a definition. */
export interface RejectedObject {
  /** The namespace and name of the object. */
  readonly name: string
  readonly message: string
}

/** The interval of checks whether a new kind is served, in milliseconds. That takes some turns of the event loop. */
const pauseMs = 10
const maxTries = 1000

/** An API server in this process, which accepts and rejects definitions and objects as a kube-apiserver does. */
export class EmbeddedCheck {
  readonly #server: ApiServer
  readonly #client: Client

  private constructor(server: ApiServer) {
    this.#server = server
    this.#client = createClient({ transport: inProcessTransport(server) })
  }

  static async start(): Promise<EmbeddedCheck> {
    return new EmbeddedCheck(await createApiServer())
  }

  /** Installs a definition. Returns the message if the API server rejects it, else `undefined`. */
  async install(definition: CustomResourceDefinition): Promise<string | undefined> {
    const rejection = await rejectionOf(() => this.#client.create(customResourceDefinitions, definition))
    if (rejection === undefined) await this.#waitUntilServed(definition)
    return rejection
  }

  async #waitUntilServed(definition: CustomResourceDefinition): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      if ((await rejectionOf(() => this.#client.list(resourceOf(definition), { limit: 1 }))) === undefined)
        return
      await sleep(systemClock, pauseMs)
    }
    throw new PluginError(
      'CRD_NOT_SERVED',
      `${definition.metadata.name} was not served within ${(maxTries * pauseMs) / 1000} s`,
    )
  }

  /** Creates copies of the objects, and returns those that the API server rejects under the installed definition. */
  async rejectedObjects(
    definition: CustomResourceDefinition,
    objects: readonly KubeObject[],
  ): Promise<RejectedObject[]> {
    const resource = resourceOf(definition)
    const rejected: RejectedObject[] = []
    for (const { metadata, ...object } of objects) {
      const { namespace, name = '' } = metadata
      if (namespace !== undefined) await this.#makeNamespace(namespace)
      const copy = { ...object, metadata: { name, ...(namespace !== undefined && { namespace }) } }
      const message = await rejectionOf(() => this.#client.create(resource, copy))
      if (message !== undefined)
        rejected.push({ name: namespace === undefined ? name : `${namespace}/${name}`, message })
    }
    return rejected
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #makeNamespace(name: string): Promise<void> {
    try {
      await this.#client.create(namespaces, { metadata: { name } })
    } catch (error) {
      if (!isConflict(error) && !(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error
    }
  }
}

/** The message of the API server if it rejects a call, else `undefined`. */
async function rejectionOf(call: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
