import type { ApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import type { CancelToken } from '../time/cancellation.js'
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
} from '../transport/transport.js'

/** The way to an embedded API server, which a test breaks. */
export class BreakableTransport implements Transport {
  /** Paths of what was asked and answered, watches left out. */
  readonly asked: string[] = []
  /** Whether every call fails. */
  isDown = false
  /** Replaces the response, by path; default the API server's response. */
  answer: (path: string) => TransportResponse | undefined = () => undefined
  readonly #inner: Transport
  readonly #broken = new Set<() => void>()

  constructor(server: ApiServer) {
    this.#inner = inProcessTransport(server)
  }

  /** The requests since the last call. */
  take(): string[] {
    return this.asked.splice(0)
  }

  /** Breaks every watch. */
  break(): void {
    for (const broken of [...this.#broken]) broken()
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    if (this.isDown) throw new Error('refused')
    this.asked.push(request.path)
    return this.answer(request.path) ?? this.#inner.request(request)
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    if (this.isDown) throw new Error('refused')
    const stream = await this.#inner.stream(request)
    return { ...stream, chunks: this.#breakable(stream.chunks, request.signal) }
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  /** An end does not come through, as where a proxy keeps the connection; a break does. */
  async *#breakable(chunks: AsyncIterable<Uint8Array>, signal?: CancelToken): AsyncGenerator<Uint8Array> {
    let onBroken = () => {}
    const broken = new Promise<never>((_, reject) => {
      onBroken = () => reject(new Error('reset'))
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    broken.catch(() => {})
    this.#broken.add(onBroken)
    const reader = chunks[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await Promise.race([reader.next(), broken])
        if (next.done) await broken
        else yield next.value
      }
    } finally {
      this.#broken.delete(onBroken)
      void reader.return?.()
    }
  }
}
