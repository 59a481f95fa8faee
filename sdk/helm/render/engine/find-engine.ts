import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

const packaged = new URL('./helm.wasm.br', import.meta.url)

/** The file of the engine: the one that `HELM_ENGINE` names, else the one in the package; nothing if there is none. */
export function findEngine(env: Environment): string | undefined {
  if (env.HELM_ENGINE) return env.HELM_ENGINE
  const path = fileURLToPath(packaged)
  return existsSync(path) ? path : undefined
}

/** Reads the WebAssembly module of the engine. */
export async function readEngine(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path)
  return path.endsWith('.br') ? promisify(brotliDecompress)(bytes) : bytes
}
