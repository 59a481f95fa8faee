import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import v8 from 'node:v8'

/**
 * Removes functions that Node's permissions do not cover: signals to other processes, flags of V8 that undo the limit of the
 * memory or write files. A malicious program finds other ways; see docs/modules-security.md.
 */
export function restrictProcess(): void {
  replace(process, 'kill')
  replace(process, '_kill')
  replace(process, 'binding')
  replace(process, '_linkedBinding')
  replace(v8, 'setFlagsFromString')
  replace(v8, 'setHeapSnapshotNearHeapLimit')
  syncBuiltinESMExports()
}

function replace(owner: object, name: string): void {
  if (!(name in owner)) return
  const value = () => {
    throw Object.assign(new Error(`${name} is not available to programs`), { code: 'ERR_ACCESS_DENIED' })
  }
  Object.defineProperty(owner, name, { value, writable: false, configurable: false })
}
