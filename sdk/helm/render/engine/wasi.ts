import type { RandomBytes } from './seeded-random.js'
import type { WasmMemory } from './web-assembly.js'

/** The functions of WASI, preview 1: addresses and lengths in, an error number out. */
type WasiFunction = (...args: never[]) => number

/** The sources of memory, randomness and time for a program. */
export interface WasiOptions {
  readonly memory: () => WasmMemory
  readonly random: RandomBytes
  /** The time of a clock in nanoseconds; clock 0 is the time of day. */
  readonly nowNs: (clock: number) => bigint
}

const success = 0
const badDescriptor = 8
const notSupported = 52
const eventBytes = 32
const subscriptionBytes = 48
const programName = Buffer.from('helm\0')

/**
 * The functions that a Go program imports for its start, its scheduler, its clock and its random numbers. There are no
 * files, no network and no environment: functions for them answer that they are not supported.
 *
 * See https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
 */
export function wasiFunctions(names: readonly string[], options: WasiOptions): Record<string, WasiFunction> {
  const functions = { ...processFunctions(options), ...clockFunctions(options), ...outputFunctions(options) }
  const functionsByName = functions as Record<string, WasiFunction>
  return Object.fromEntries(names.map((name) => [name, functionsByName[name] ?? (() => notSupported)]))
}

const viewOf = (memory: WasmMemory) => new DataView(memory.buffer)
const bytesAt = (memory: WasmMemory, address: number, length: number) =>
  new Uint8Array(memory.buffer, address, length)

/** The functions for the start and the end of a process; Go requires the name of the program at the start. */
function processFunctions({ memory, random }: WasiOptions) {
  const sizes = (countAt: number, sizeAt: number, count: number, size: number) => {
    viewOf(memory()).setUint32(countAt, count, true)
    viewOf(memory()).setUint32(sizeAt, size, true)
    return success
  }
  return {
    args_sizes_get: (countAt: number, sizeAt: number) => sizes(countAt, sizeAt, 1, programName.length),
    args_get: (pointersAt: number, textAt: number) => {
      viewOf(memory()).setUint32(pointersAt, textAt, true)
      bytesAt(memory(), textAt, programName.length).set(programName)
      return success
    },
    environ_sizes_get: (countAt: number, sizeAt: number) => sizes(countAt, sizeAt, 0, 0),
    environ_get: () => success,
    random_get: (address: number, length: number) => {
      random(bytesAt(memory(), address, length))
      return success
    },
    proc_exit: (code: number): never => {
      throw new Error(`the template engine ended with status ${code}`)
    },
  }
}

function clockFunctions({ memory, nowNs }: WasiOptions) {
  return {
    sched_yield: () => success,
    clock_time_get: (clock: number, _precision: bigint, address: number) => {
      viewOf(memory()).setBigUint64(address, nowNs(clock), true)
      return success
    },
    /** Every wait is over at once, because nothing can happen meanwhile. */
    poll_oneoff: (subscriptionsAt: number, eventsAt: number, count: number, countAt: number) => {
      const view = viewOf(memory())
      for (let i = 0; i < count; i++) {
        const [from, to] = [subscriptionsAt + i * subscriptionBytes, eventsAt + i * eventBytes]
        bytesAt(memory(), to, eventBytes).fill(0)
        view.setBigUint64(to, view.getBigUint64(from, true), true)
        view.setUint8(to + 10, view.getUint8(from + 8))
      }
      view.setUint32(countAt, count, true)
      return success
    },
  }
}

/** Drops the program's output, which may quote values. */
function outputFunctions({ memory }: WasiOptions) {
  return {
    fd_write: (descriptor: number, vectorsAt: number, count: number, writtenAt: number) => {
      if (descriptor !== 1 && descriptor !== 2) return badDescriptor
      const view = viewOf(memory())
      let written = 0
      for (let i = 0; i < count; i++) written += view.getUint32(vectorsAt + i * 8 + 4, true)
      view.setUint32(writtenAt, written, true)
      return success
    },
    fd_fdstat_get: (descriptor: number, address: number) => {
      if (descriptor > 2) return badDescriptor
      bytesAt(memory(), address, 24).fill(0)
      viewOf(memory()).setUint8(address, 2)
      return success
    },
    fd_fdstat_set_flags: () => success,
    fd_prestat_get: () => badDescriptor,
    fd_close: () => success,
  }
}
