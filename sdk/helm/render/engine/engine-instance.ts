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
  readonly render: (at: number, size: number) => bigint
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

  /** Renders a request (JSON) and returns the answer (JSON). */
  render(request: string): string {
    const { memory, alloc, render, release } = this.#exports
    const input = Buffer.from(request)
    const at = alloc(input.length) >>> 0
    new Uint8Array(memory.buffer, at, input.length).set(input)
    const packed = BigInt.asUintN(64, render(at, input.length))
    const [address, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)]
    if (length > maxAnswerBytes) throw new Error(`the rendered chart has more than ${maxAnswerBytes} bytes`)
    const answer = Buffer.from(memory.buffer, address, length).toString('utf8')
    release(address)
    return answer
  }
}

const systemRandom: RandomBytes = (bytes) => bytes.set(randomBytes(bytes.length))

const timeOfDay = 0
const nsPerMs = 1_000_000
const systemClock = (clock: number) =>
  clock === timeOfDay ? BigInt(Date.now()) * BigInt(nsPerMs) : process.hrtime.bigint()
const fixedClock = (nowMs: number) => (clock: number) =>
  clock === timeOfDay ? BigInt(Math.trunc(nowMs)) * BigInt(nsPerMs) : 1n

const importsOf = (module: WasmModule) => webAssembly.Module.imports(module).map(({ name }) => name)
