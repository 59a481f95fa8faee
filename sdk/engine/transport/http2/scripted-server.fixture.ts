import { Duplex } from 'node:stream'
import type { Test } from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { Cancellation } from '../../time/cancellation.js'
import type { Http2Call } from './call.js'
import { FrameParser } from './frame-parser.js'
import { HeaderDecoder } from './hpack/header-decoder.js'
import { HeaderEncoder } from './hpack/header-encoder.js'
import type { HeaderField } from './hpack/header-field.js'
import { flag, frameType, preface } from './protocol.js'
import { Http2Session, type Http2SessionOptions } from './session.js'

/** A frame that the client sent. */
export interface ClientFrame {
  type: number
  flags: number
  streamId: number
  payload: Buffer
}

/** A frame as octets, right or wrong. */
export function frame(
  type: number,
  flags: number,
  streamId: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer {
  const header = Buffer.alloc(9)
  header.writeUIntBE(payload.length, 0, 3)
  header[3] = type
  header[4] = flags
  header.writeUInt32BE(streamId, 5)
  return Buffer.concat([header, payload])
}

/** A big-endian number of four octets. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Two ends of a connection in memory; what one writes the other reads, in order, a turn of the event loop later. */
export function socketPair(): [client: Duplex, server: Duplex] {
  const ends: Duplex[] = []
  for (const other of [1, 0]) {
    ends.push(
      new Duplex({
        read: () => {},
        write: (chunk, _encoding, callback) => {
          ends[other]?.push(Buffer.from(chunk))
          setImmediate(callback)
        },
        final: (callback) => {
          ends[other]?.push(null)
          callback()
        },
        destroy: (error, callback) => {
          if (ends[other]?.readableEnded === false) ends[other]?.push(null)
          callback(error)
        },
      }),
    )
  }
  const [client, server] = ends as [Duplex, Duplex]
  client.on('error', () => {})
  server.on('error', () => {})
  return [client, server]
}

/** The server's end of a connection: a test says which octets it sends, and sees which frames come. */
export class ScriptedServer {
  readonly frames: ClientFrame[] = []
  /** In how many pieces the frames came. */
  chunks = 0
  readonly socket: Duplex
  readonly #encoder = new HeaderEncoder()
  readonly #decoder = new HeaderDecoder()
  #prefaceLeft = preface.length
  readonly #taken = new Map<number, number>()
  #wake = () => {}

  constructor(socket: Duplex) {
    this.socket = socket
    const keep = (header: Omit<ClientFrame, 'payload'>, payload: Uint8Array) => {
      const { type, flags, streamId } = header
      this.frames.push({ type, flags, streamId, payload: Buffer.from(payload) })
      this.#wake()
    }
    const data: Buffer[] = []
    const parser = new FrameParser({
      onFrameHeader: () => {},
      onFrame: keep,
      onData: (header, part, isLast) => {
        data.push(Buffer.from(part))
        if (isLast) keep(header, Buffer.concat(data.splice(0)))
      },
    })
    socket.on('data', (chunk: Buffer) => {
      const skipped = Math.min(this.#prefaceLeft, chunk.length)
      this.#prefaceLeft -= skipped
      this.chunks += 1
      parser.push(chunk.subarray(skipped))
    })
    socket.on('end', () => socket.end())
  }

  /** The next frame of a type, which may have come already. */
  async next(type: number): Promise<ClientFrame> {
    const taken = this.#taken.get(type) ?? 0
    this.#taken.set(type, taken + 1)
    for (;;) {
      const found = this.ofType(type)[taken]
      if (found) return found
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** All frames of a type that came. */
  ofType(type: number): ClientFrame[] {
    return this.frames.filter((each) => each.type === type)
  }

  /** The stream and the fields of the next request. */
  async nextRequest(): Promise<{ streamId: number; fields: Record<string, string> }> {
    const { streamId, payload } = await this.next(frameType.headers)
    const fields: Record<string, string> = {}
    this.#decoder.decode(payload, {
      add: ({ name, value }: HeaderField) => {
        fields[name] = value
      },
    })
    return { streamId, fields }
  }

  send(...frames: Uint8Array[]): void {
    this.socket.write(Buffer.concat(frames))
  }

  settings(...pairs: [id: number, value: number][]): Buffer {
    const payload = pairs.map(([id, value]) => Buffer.concat([uint32(id).subarray(2), uint32(value)]))
    return frame(frameType.settings, 0, 0, Buffer.concat(payload))
  }

  settingsAck(): Buffer {
    return frame(frameType.settings, flag.ack, 0)
  }

  /** A header block for {@link frame}. */
  block(fields: Record<string, string>): Buffer {
    this.#encoder.begin()
    for (const name in fields) this.#encoder.add(name, fields[name] ?? '', 'indexed')
    return Buffer.from(this.#encoder.end())
  }

  headers(streamId: number, fields: Record<string, string>, flags: number = 0): Buffer {
    return frame(frameType.headers, flag.endHeaders | flags, streamId, this.block(fields))
  }

  data(streamId: number, text: string, flags: number = flag.endStream): Buffer {
    return frame(frameType.data, flags, streamId, Buffer.from(text))
  }

  /** A whole answer. */
  answer(streamId: number, text = 'ok', fields: Record<string, string> = {}): Buffer {
    return Buffer.concat([this.headers(streamId, { ':status': '200', ...fields }), this.data(streamId, text)])
  }
}

/** A request that a test changes in part. */
export function call(changes: Partial<Http2Call> = {}): Http2Call {
  return { method: 'GET', path: '/x', headers: {}, signal: new Cancellation(), ...changes }
}

/** A session whose server is scripted; it has no settings unless they are given. */
export async function scripted(
  test: Test,
  { settings = [], ...options }: { settings?: [number, number][] } & Partial<Http2SessionOptions> = {},
) {
  const [client, end] = socketPair()
  const server = new ScriptedServer(end)
  const clock = new VirtualClock()
  const opening = Http2Session.open({
    socket: client,
    clock,
    authority: 'api.test:6443',
    signal: new Cancellation(),
    ...options,
  })
  server.send(server.settings(...settings), server.settingsAck())
  const session = await opening
  test.teardown(() => {
    session.destroy(new Error('the test is over'))
    client.destroy()
    end.destroy()
  })
  return { session, server, clock, client }
}
