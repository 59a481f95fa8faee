import { setImmediate } from 'node:timers/promises'
import { type ApiServer, createApiServer } from '../../../apiserver/api-server.js'
import type { Client } from '../../../sdk/engine/client/client.js'
import { createClient } from '../../../sdk/engine/client/create-client.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../../sdk/engine/kube/builtin.js'
import { ApiError, PluginError } from '../../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { servedKinds } from '../../clusters/served-kinds.js'

/** A reason why an API server rejects a sample. */
export interface SampleProblem {
  /** The field in the server's message; empty if it names none. */
  field: string
  /** The server's own reason. */
  reason: string
}

/** Result of a trial: the problems, or the stored object. */
export type TrialResult =
  | { problems: readonly SampleProblem[] }
  | { problems?: undefined; stored: KubeObject }

/** An embedded API server that checks samples of one kind. */
export class SampleTrial {
  readonly #server: ApiServer
  readonly #client: Client
  readonly #resource: Resource

  private constructor(server: ApiServer, client: Client, resource: Resource) {
    this.#server = server
    this.#client = client
    this.#resource = resource
  }

  /**
   * Runs `use` with an API server for a kind. Throws `PluginError` `INVALID_CRD` if the server rejects the definition.
   */
  static async with<T>(
    { resource, definition }: { resource: Resource; definition?: CustomResourceDefinition },
    use: (trial: SampleTrial) => Promise<T>,
  ): Promise<T> {
    const trial = await SampleTrial.#open(resource, definition)
    try {
      return await use(trial)
    } finally {
      await trial.#server.close()
    }
  }

  static async #open(resource: Resource, definition?: CustomResourceDefinition): Promise<SampleTrial> {
    const server = await createApiServer({ name: 'virtual' })
    const transport = inProcessTransport(server)
    const client = createClient({ transport, fieldManager: 'vcluster-plugin-create' })
    try {
      if (definition) await client.create(customResourceDefinitions, definition)
    } catch (cause) {
      await server.close()
      if (!(cause instanceof ApiError)) throw cause
      throw new PluginError('INVALID_CRD', `the API server rejects the definition: ${cause.message}`, {
        cause,
      })
    }
    await untilServed(server, resource)
    return new SampleTrial(server, client, resource)
  }

  /**
   * Tries to create an object with this content, and then to change it by a merge patch. Without a change, the object
   * is not stored.
   */
  async tryObject(content: object, change?: object): Promise<TrialResult> {
    const object: KubeObject = { metadata: { ...this.#namespace(), name: 'sample' }, ...content }
    try {
      if (!change) return { stored: await this.#client.create(this.#resource, object, { dryRun: true }) }
      await this.#client.create(this.#resource, object)
      try {
        const key = { namespace: '', ...this.#namespace(), name: 'sample' }
        return { stored: await this.#client.patch(this.#resource, key, { type: 'merge', body: change }) }
      } finally {
        await this.#client.delete(this.#resource, { namespace: '', ...this.#namespace(), name: 'sample' })
      }
    } catch (error) {
      if (error instanceof ApiError) return { problems: problemsOf(error) }
      throw error
    }
  }

  #namespace(): { namespace?: string } {
    return this.#resource.namespaced ? { namespace: 'default' } : {}
  }
}

/** The causes in the server's error, or its message if there are none. */
function problemsOf({ status, message }: ApiError): SampleProblem[] {
  const causes = status.details?.causes ?? []
  if (causes.length === 0) return [{ field: '', reason: message }]
  return causes.map((cause) => ({ field: cause.field ?? '', reason: cause.message ?? message }))
}

/** Waits until a new kind is served, which takes a few turns of the event loop. Gives up after 1,000 turns. */
async function untilServed(server: ApiServer, resource: Resource): Promise<void> {
  const transport = inProcessTransport(server)
  for (let turn = 0; turn < 1000; turn++) {
    const served = await servedKinds(transport)
    if (served.some(({ plural, group }) => plural === resource.plural && group === resource.group)) return
    await setImmediate()
  }
}
