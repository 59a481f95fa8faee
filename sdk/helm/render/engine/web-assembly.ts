/** The parts of the WebAssembly interface of JavaScript that are used; the types of Node lack them. */
interface WebAssemblyInterface {
  readonly compile: (bytes: Uint8Array) => Promise<WasmModule>
  readonly instantiate: (module: WasmModule, imports: object) => Promise<{ readonly exports: object }>
  readonly Module: {
    readonly imports: (module: WasmModule) => readonly { readonly name: string }[]
    readonly exports: (module: WasmModule) => readonly { readonly name: string }[]
  }
}

/** A compiled module; threads can share it. */
export interface WasmModule {
  readonly isWasmModule?: never
}

/** The memory of an instance; its buffer is replaced when it grows. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
}

/** See https://developer.mozilla.org/en-US/docs/WebAssembly/Reference/JavaScript_interface */
export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyInterface }).WebAssembly
