import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Environment } from '../../../engine/kube/environment.js'

/**
 * The file of the engine: the one that `HELM_ENGINE` names, else the one in the package or the bundle; undefined if
 * there is none, or if `HELM_ENGINE` is empty.
 */
export async function findEngine(env: Environment): Promise<string | undefined> {
  if (env.HELM_ENGINE !== undefined) return env.HELM_ENGINE || undefined
  // By import(), so that a bundle has this module in a part of its own, next to the engine.
  const { engineFile } = await import('./engine-files.js')
  const path = fileURLToPath(engineFile)
  return existsSync(path) ? path : undefined
}

/** Reads the WebAssembly module of the engine. */
export async function readEngine(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path)
  return path.endsWith('.br') ? promisify(brotliDecompress)(bytes) : bytes
}
