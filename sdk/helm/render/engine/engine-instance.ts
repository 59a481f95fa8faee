import { randomBytes } from 'node:crypto'
import type { Repeat } from '../renderer.js'
import { type FindObject, LookupImports } from './lookup-imports.js'
import { type RandomBytes, seededRandom } from './seeded-random.js'
import { wasiFunctions } from './wasi.js'
import { type WasmMemory, type WasmModule, webAssembly } from './web-assembly.js'

/** The largest answer that is read, in bytes. */
const maxAnswerBytes = 64 * 2 ** 20

interface EngineExports {
  readonly memory: WasmMemory
  readonly _initialize: () => void
  readonly alloc: (size: number) => number
  readonly renderChart: (address: number, size: number) => bigint
  readonly release: (address: number) => void
}

/** Options of {@link EngineInstance.start}. */
export interface InstanceOptions {
  /** Finds the objects of lookups; default: the answer of the engine names the lookups that it needs. */
  readonly findObject?: FindObject
  /** Makes the first rendering one that can be repeated exactly; default random. */
  readonly repeat?: Repeat | undefined
  /** The seeds and times of the variants of that rendering; default none. */
  readonly variants?: readonly Repeat[] | undefined
}

/** One instance of the engine. It renders any number of requests, one after the other. */
export class EngineInstance {
  readonly #exports: EngineExports

  private constructor(exports: EngineExports) {
    this.#exports = exports
  }

  /** Starts an instance. */
  static async start(
    module: WasmModule,
    { findObject, repeat, variants = [] }: InstanceOptions = {},
  ): Promise<EngineInstance> {
    let exports: EngineExports | undefined
    const memory = () => {
      if (exports) return exports.memory
      throw new Error('the template engine called its host before it was there')
    }
    let source = sourceOf(repeat)
    const functions = wasiFunctions(importsOf(module), {
      memory,
      random: (bytes) => source.random(bytes),
      nowNs: (clock) => source.nowNs(clock),
    })
    const useVariant = (index: number) => {
      source = sourceOf(variants[index])
    }
    const instance = await webAssembly.instantiate(module, {
      wasi_snapshot_preview1: functions,
      host: { useVariant, ...new LookupImports(memory, findObject).functions },
    })
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
    const requestAddress = alloc(size) >>> 0
    new DataView(memory.buffer).setUint32(requestAddress, text.length, true)
    const input = new Uint8Array(memory.buffer, requestAddress + lengthBytes, size - lengthBytes)
    input.set(text)
    input.set(files, text.length)
    const packed = BigInt.asUintN(64, renderChart(requestAddress, size))
    const [address, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)]
    if (length > maxAnswerBytes) throw new Error(`the rendered chart has more than ${maxAnswerBytes} bytes`)
    const answer = new Uint8Array(memory.buffer).slice(address, address + length)
    release(address)
    return answer
  }
}

/** The number of bytes for the length of the head, which precedes the head. */
const lengthBytes = 4

/** The source of random bytes and of the time: a seed, or the system. */
const sourceOf = (repeat: Repeat | undefined) =>
  repeat
    ? { random: seededRandom(repeat.seed), nowNs: fixedClock(repeat.nowMs) }
    : { random: systemRandom, nowNs: systemClock }

const systemRandom: RandomBytes = (bytes) => bytes.set(randomBytes(bytes.length))

const timeOfDay = 0
const nsPerMs = 1_000_000
const systemClock = (clock: number) =>
  clock === timeOfDay ? BigInt(Date.now()) * BigInt(nsPerMs) : process.hrtime.bigint()
const fixedClock = (nowMs: number) => (clock: number) =>
  clock === timeOfDay ? BigInt(Math.trunc(nowMs)) * BigInt(nsPerMs) : 1n

const importsOf = (module: WasmModule) => webAssembly.Module.imports(module).map(({ name }) => name)
