/**
 * Two clusters with API servers of their own, as tests start them (https://book.kubebuilder.io/reference/envtest): what goes
 * wrong goes wrong between them and the plugin, whose time is virtual all the same.
 *
 * It promises that after a run both hold what they held before it. It leaves starting and stopping them to others.
 */
import { setTimeout as passes } from 'node:timers/promises'
import type { Side } from '../../sdk/context/register-context.js'
import { parseJson, stringifyJson } from '../../sdk/kube/json.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import { orAborted } from '../../sdk/time/cancellation.js'
import { createTransport } from '../../sdk/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/transport/kubeconfig.js'
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
} from '../../sdk/transport/transport.js'
import { isWrite, objectPath, targetOf } from './call.js'
import type { Ground, SiteCluster } from './ground.js'

/** Options of {@link realClusters}. */
export interface RealClustersOptions {
  /** Kubeconfig file of an administrator of the cluster that is the virtual one. */
  virtual: string
  /** The same of the host cluster. */
  host: string
  /** How long nothing must be heard for nothing to be under way, in milliseconds of real time; default 60. */
  quietMs?: number
}

const momentMs = 5

/**
 * Plays scenarios on two clusters that are there already and that nobody else uses meanwhile:
 * `exhaustCrashes({ ...scenario, ground: realClusters({ virtual, host }) })`.
 *
 * Objects that a run made are deleted after it. The host's namespace for the copies is made once and stays.
 */
export function realClusters({ virtual, host, quietMs = 60 }: RealClustersOptions): Ground {
  return {
    async open() {
      const clusters = { virtual: await RealCluster.open(virtual), host: await RealCluster.open(host) }
      return {
        clusters,
        moment: () => passes(momentMs),
        quietMoments: Math.ceil(quietMs / momentMs),
        close: async () => {
          for (const side of ['host', 'virtual'] satisfies Side[]) await clusters[side].close()
        },
      }
    },
  }
}

/** Whatever a watch or a call brings may make the plugin do something. */
class RealCluster implements SiteCluster {
  readonly server = undefined
  readonly #file: Awaited<ReturnType<typeof loadKubeconfig>>
  readonly #own: Transport
  readonly #transports = new Set<Transport>()
  /** The paths of objects that were written, and created by that, by their UIDs. */
  readonly #made = new Map<string, string>()
  readonly #writing = new Set<Promise<void>>()
  /** Watches from before this count are told that their history is gone, once each. */
  #forgotten = new Set<string>()
  #watched = new Set<string>()
  #heard = 0

  private constructor(file: Awaited<ReturnType<typeof loadKubeconfig>>) {
    this.#file = file
    this.#own = createTransport({ kubeconfig: file })
  }

  static async open(file: string): Promise<RealCluster> {
    return new RealCluster(await loadKubeconfig({ file }))
  }

  get pulse(): string {
    return `${this.#heard}`
  }

  connect(): Transport {
    const transport = createTransport({ kubeconfig: this.#file })
    this.#transports.add(transport)
    let isClosed = false
    return {
      request: async (request) => {
        if (!isWrite(request)) return transport.request(request)
        if (isClosed) throw new Error('the transport was closed')
        return this.#write(request)
      },
      stream: (request) => this.#stream(transport, request),
      close: () => {
        isClosed = true
        return transport.close()
      },
    }
  }

  forget(): void {
    this.#forgotten = new Set(this.#watched)
  }

  /** Deletes what the run made, whatever holds it. */
  async close(): Promise<void> {
    await Promise.all(this.#writing)
    for (const [uid, path] of this.#made) await this.#remove(uid, path)
    await Promise.all([...this.#transports, this.#own].map((transport) => transport.close()))
  }

  async #stream(transport: Transport, request: TransportRequest): Promise<TransportStream> {
    const [collection = ''] = request.path.split('?')
    this.#watched.add(collection)
    if (this.#forgotten.delete(collection)) return gone()
    const stream = await transport.stream(request)
    return { ...stream, chunks: this.#hearing(stream.chunks) }
  }

  async *#hearing(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#heard++
      yield chunk
    }
  }

  /** A write that was begun is done and remembered, even when the plugin that asked for it dies meanwhile. */
  #write({ signal, ...request }: TransportRequest): Promise<TransportResponse> {
    signal?.throwIfAborted()
    const written = this.#own.request(request).then((response) => {
      if (response.status === 201) this.#remember(request, response)
      return response
    })
    const done = Promise.allSettled([written]).then(() => void this.#writing.delete(done))
    this.#writing.add(done)
    return signal ? orAborted(written, signal) : written
  }

  #remember({ path }: TransportRequest, { body }: TransportResponse): void {
    const target = targetOf(path)
    const { metadata } = parseJson(body) as KubeObject
    if (target?.subresource !== '' || target.plural === 'namespaces') return
    const name = metadata.name ?? ''
    this.#made.set(metadata.uid ?? '', objectPath({ ...target, name }))
  }

  async #remove(uid: string, path: string): Promise<void> {
    const preconditions = { uid }
    const unheld = stringifyJson({ metadata: { uid, finalizers: null } })
    const patch = { 'content-type': 'application/merge-patch+json' }
    await this.#own.request({ method: 'PATCH', path, headers: patch, body: unheld })
    const json = { 'content-type': 'application/json' }
    await this.#own.request({ method: 'DELETE', path, headers: json, body: stringifyJson({ preconditions }) })
  }
}

/** What an API server answers to a watch from before its history. */
function gone(): TransportStream {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 }
  const line = Buffer.from(`${stringifyJson({ type: 'ERROR', object: { ...status, message: 'too old' } })}\n`)
  const chunks = (async function* () {
    yield line
  })()
  return { status: 200, headers: { 'content-type': 'application/json' }, chunks }
}
