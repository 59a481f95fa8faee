import { randomBytes } from 'node:crypto'
import type { Repeat } from '../renderer.js'
import { type RandomBytes, seededRandom } from './seeded-random.js'
import { wasiFunctions } from './wasi.js'
import { type WasmMemory, type WasmModule, webAssembly } from './web-assembly.js'

/** The largest answer that is read, in bytes. */
const maxAnswerBytes = 64 * 2 ** 20

interface EngineExports {
  readonly memory: WasmMemory
  readonly _initialize: () => void
  readonly alloc: (size: number) => number
  readonly renderChart: (at: number, size: number) => bigint
  readonly release: (at: number) => void
}

/** One instance of the engine. It renders any number of requests, one after the other. */
export class EngineInstance {
  readonly #exports: EngineExports

  private constructor(exports: EngineExports) {
    this.#exports = exports
  }

  /** Starts an instance; if `repeat` is given, one whose first rendering can be repeated exactly. */
  static async start(module: WasmModule, repeat?: Repeat): Promise<EngineInstance> {
    let exports: EngineExports | undefined
    const functions = wasiFunctions(importsOf(module), {
      memory: () => {
        if (exports) return exports.memory
        throw new Error('the template engine called its host before it was there')
      },
      random: repeat ? seededRandom(repeat.seed) : systemRandom,
      nowNs: repeat ? fixedClock(repeat.nowMs) : systemClock,
    })
    const instance = await webAssembly.instantiate(module, { wasi_snapshot_preview1: functions })
    exports = instance.exports as EngineExports
    exports._initialize()
    return new EngineInstance(exports)
  }

  /** The memory of the instance, in bytes; it never shrinks. */
  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength
  }

  /** Renders a request: its head (JSON) and the files of the chart. Returns the bytes of the answer. */
  render(head: string, files: Uint8Array): Uint8Array<ArrayBuffer> {
    const { memory, alloc, renderChart, release } = this.#exports
    const text = Buffer.from(head)
    const size = lengthBytes + text.length + files.length
    const at = alloc(size) >>> 0
    new DataView(memory.buffer).setUint32(at, text.length, true)
    const input = new Uint8Array(memory.buffer, at + lengthBytes, size - lengthBytes)
    input.set(text)
    input.set(files, text.length)
    const packed = BigInt.asUintN(64, renderChart(at, size))
    const [address, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)]
    if (length > maxAnswerBytes) throw new Error(`the rendered chart has more than ${maxAnswerBytes} bytes`)
    const answer = new Uint8Array(memory.buffer).slice(address, address + length)
    release(address)
    return answer
  }
}

/** The length of the head, before it. */
const lengthBytes = 4

const systemRandom: RandomBytes = (bytes) => bytes.set(randomBytes(bytes.length))

const timeOfDay = 0
const nsPerMs = 1_000_000
const systemClock = (clock: number) =>
  clock === timeOfDay ? BigInt(Date.now()) * BigInt(nsPerMs) : process.hrtime.bigint()
const fixedClock = (nowMs: number) => (clock: number) =>
  clock === timeOfDay ? BigInt(Math.trunc(nowMs)) * BigInt(nsPerMs) : 1n

const importsOf = (module: WasmModule) => webAssembly.Module.imports(module).map(({ name }) => name)
