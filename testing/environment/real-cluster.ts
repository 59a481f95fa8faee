import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { orAborted } from '../../sdk/engine/time/cancellation.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
} from '../../sdk/engine/transport/transport.js'
import { isWrite } from '../requests/request-target.js'
import { CreatedObjects } from './created-objects.js'
import { KeptObjects, type KeptUids } from './kept-objects.js'
import type { TestCluster } from './test-environment.js'

type Kubeconfig = Awaited<ReturnType<typeof loadKubeconfig>>

/** An existing cluster. It remembers which objects a run created, so that `close` can delete them. */
export class RealCluster implements TestCluster {
  readonly server = undefined
  readonly #kubeconfig: Kubeconfig
  /** Sends writes, which must complete even when the plugin's own transport is closed. */
  readonly #userTransport: Transport
  readonly #kept: KeptObjects
  readonly #transports = new Set<Transport>()
  readonly #created: CreatedObjects
  readonly #pendingWrites = new Set<Promise<void>>()
  readonly #watched = new Set<string>()
  /** Collections whose next watch is answered with 410 Gone. */
  #compacted = new Set<string>()
  #chunks = 0
  #pending = 0

  private constructor(kubeconfig: Kubeconfig, kept: KeptUids) {
    this.#kubeconfig = kubeconfig
    this.#userTransport = createTransport({ kubeconfig })
    this.#created = new CreatedObjects(this.#userTransport)
    this.#kept = new KeptObjects(this.#userTransport, kept)
  }

  /** Opens a cluster by a kubeconfig; `kept` has the objects that earlier runs created and that stay. */
  static async open(file: string, kept: KeptUids): Promise<RealCluster> {
    return new RealCluster(await loadKubeconfig({ file }), kept)
  }

  /** Whether a request is unanswered or a watch is being opened. Both have a time limit. */
  get isBusy(): boolean {
    return this.#pending > 0
  }

  /** The number of watch chunks received so far. */
  get revision(): string {
    return `${this.#chunks}`
  }

  connect(): Transport {
    const transport = createTransport({ kubeconfig: this.#kubeconfig })
    this.#transports.add(transport)
    let isClosed = false
    return {
      request: (request) =>
        this.#whilePending(async () => {
          if (!isWrite(request)) return transport.request(request)
          if (isClosed) throw new Error('the transport was closed')
          return this.#write(request)
        }),
      stream: (request) => this.#whilePending(() => this.#stream(transport, request)),
      close: () => {
        isClosed = true
        return transport.close()
      },
    }
  }

  compact(): void {
    this.#compacted = new Set(this.#watched)
  }

  /** Deletes the objects that the run created. Rejects if it cannot, with all connections closed. */
  async close(): Promise<void> {
    try {
      await Promise.all(this.#pendingWrites)
      await this.#created.deleteAll()
    } finally {
      await Promise.all([...this.#transports, this.#userTransport].map((transport) => transport.close()))
    }
  }

  async #whilePending<T>(send: () => Promise<T>): Promise<T> {
    this.#pending++
    try {
      return await send()
    } finally {
      this.#pending--
    }
  }

  async #stream(transport: Transport, request: TransportRequest): Promise<TransportStream> {
    const [collection = ''] = request.path.split('?')
    this.#watched.add(collection)
    if (this.#compacted.delete(collection)) return expiredStream()
    const stream = await transport.stream(request)
    return { ...stream, chunks: this.#counted(stream.chunks) }
  }

  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#chunks++
      yield chunk
    }
  }

  /** Completes and records a write even if the process that sent it is killed meanwhile. */
  #write({ signal, ...request }: TransportRequest): Promise<TransportResponse> {
    signal?.throwIfAborted()
    const written = this.#kept.send(request).then((response) => {
      if (response.status === 201) this.#created.add(request, response)
      return response
    })
    const done = Promise.allSettled([written]).then(() => void this.#pendingWrites.delete(done))
    this.#pendingWrites.add(done)
    return signal ? orAborted(written, signal) : written
  }
}

/** The stream that an API server sends to a watch from a resourceVersion that is no longer in its history. */
function expiredStream(): TransportStream {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 }
  const line = Buffer.from(`${stringifyJson({ type: 'ERROR', object: { ...status, message: 'too old' } })}\n`)
  const chunks = (async function* () {
    yield line
  })()
  return { status: 200, headers: { 'content-type': 'application/json' }, chunks }
}
