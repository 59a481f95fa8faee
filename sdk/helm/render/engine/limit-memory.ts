const memorySection = 5
const headerBytes = 8

/**
 * A WebAssembly module whose memory cannot grow beyond a number of pages of 64 KiB; a module from Go has no limit of
 * its own. Throws if the module does not define exactly one memory.
 *
 * See https://webassembly.github.io/spec/core/binary/modules.html#memory-section
 */
export function limitMemory(module: Uint8Array, maxPages: number): Uint8Array {
  for (let offset = headerBytes; offset < module.length; ) {
    const id = module[offset]
    const [size, start] = readNumber(module, offset + 1)
    if (id === memorySection) {
      const section = limitSection(module.subarray(start, start + size), maxPages)
      return Buffer.concat([module.subarray(0, offset), section, module.subarray(start + size)])
    }
    offset = start + size
  }
  throw new Error('the WebAssembly module defines no memory')
}

function limitSection(content: Uint8Array, maxPages: number): Uint8Array {
  const [count, afterCount] = readNumber(content, 0)
  const [minimum] = readNumber(content, afterCount + 1)
  if (count !== 1) throw new Error(`the WebAssembly module defines ${count} memories`)
  const hasMaximum = 1
  const body = [
    ...numberBytes(count),
    hasMaximum,
    ...numberBytes(minimum),
    ...numberBytes(Math.max(minimum, maxPages)),
  ]
  return Uint8Array.from([memorySection, ...numberBytes(body.length), ...body])
}

/** An unsigned number in LEB128, and the place after it. */
function readNumber(bytes: Uint8Array, start: number): [value: number, next: number] {
  let value = 0
  for (let offset = start; ; offset++) {
    const byte = bytes[offset] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (offset - start))
    if (byte < 0x80) return [value, offset + 1]
  }
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberBytes(Math.floor(value / 0x80))]
}
