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

/** An object that a definition would not accept as it is. */
export interface TrappedObject {
  /** Its namespace and name. */
  readonly name: string
  readonly message: string
}

/** The server serves a new kind within some turns of the event loop. */
const pauseMs = 10
const maxTries = 1000

/** An API server in this process, which judges definitions and objects as a kube-apiserver does. */
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

  /** Installs a definition. Returns why an API server refuses it; `undefined` if it does not. */
  async install(definition: CustomResourceDefinition): Promise<string | undefined> {
    const refusal = await refusalOf(() => this.#client.create(customResourceDefinitions, definition))
    if (refusal === undefined) await this.#served(definition)
    return refusal
  }

  async #served(definition: CustomResourceDefinition): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      if ((await refusalOf(() => this.#client.list(resourceOf(definition), { limit: 1 }))) === undefined)
        return
      await sleep(systemClock, pauseMs)
    }
    throw new PluginError(
      'CRD_NOT_SERVED',
      `${definition.metadata.name} was not served within ${(maxTries * pauseMs) / 1000} s`,
    )
  }

  /** The objects that the installed definition refuses. */
  async trapped(
    definition: CustomResourceDefinition,
    objects: readonly KubeObject[],
  ): Promise<TrappedObject[]> {
    const resource = resourceOf(definition)
    const found: TrappedObject[] = []
    for (const { metadata, ...object } of objects) {
      const { namespace, name = '' } = metadata
      if (namespace !== undefined) await this.#makeNamespace(namespace)
      const copy = { ...object, metadata: { name, ...(namespace !== undefined && { namespace }) } }
      const message = await refusalOf(() => this.#client.create(resource, copy))
      if (message !== undefined)
        found.push({ name: namespace === undefined ? name : `${namespace}/${name}`, message })
    }
    return found
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

async function refusalOf(call: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
