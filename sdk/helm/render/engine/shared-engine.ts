import { PluginError } from '../../../engine/kube/error.js'
import { whyUnreadable } from '../../../engine/kube/read-text-file.js'
import { explainRejection } from '../../../engine/manager/explain-failure.js'
import { EnginePool } from './engine-pool.js'
import { readEngine } from './find-engine.js'
import { limitMemory } from './limit-memory.js'
import { type WasmModule, webAssembly } from './web-assembly.js'

/** A pool of threads that several renderers share. */
export interface SharedEngine {
  readonly pool: EnginePool
  /** Ends the threads if no other renderer uses them. */
  close(): Promise<void>
}

interface OpenEngine {
  readonly pool: Promise<EnginePool>
  users: number
}

/** The open engines of this program. Renderers share compiled modules and threads, to save memory. */
const openEngines = new Map<string, OpenEngine>()

const pagesPerMiB = 16

/**
 * Opens an engine, or uses the one that is open. Rejects with `PluginError` `NO_RENDERER` for a file of another kind or
 * version.
 */
export async function openEngine(file: string, memoryMiB: number): Promise<SharedEngine> {
  const key = `${memoryMiB} ${file}`
  const engine = openEngines.get(key) ?? { pool: start(file, memoryMiB), users: 0 }
  openEngines.set(key, engine)
  engine.users++
  let isClosed = false
  const leave = () => {
    if (isClosed) return false
    isClosed = true
    if (--engine.users > 0) return false
    if (openEngines.get(key) === engine) openEngines.delete(key)
    return true
  }
  try {
    const pool = await explainRejection(engine.pool)
    return { pool, close: async () => (leave() ? pool.close() : undefined) }
  } catch (error) {
    leave()
    throw error
  }
}

async function start(file: string, memoryMiB: number): Promise<EnginePool> {
  const refuse = (cause: unknown) => {
    const why = `the template engine ${file} cannot be read: ${whyUnreadable(cause)}`
    throw new PluginError('NO_RENDERER', `charts cannot be rendered: ${why}; correct HELM_ENGINE`, { cause })
  }
  const bytes = limitMemory(await readEngine(file).catch(refuse), memoryMiB * pagesPerMiB)
  const module = await webAssembly.compile(bytes)
  checkVersion(module, file)
  const { threadFile } = await import('./engine-files.js')
  return new EnginePool({ module }, threadFile)
}

/** Throws `PluginError` `NO_RENDERER` if the module lacks the functions of this version of the engine. */
function checkVersion(module: WasmModule, file: string): void {
  if (webAssembly.Module.exports(module).some(({ name }) => name === 'renderChart')) return
  throw new PluginError(
    'NO_RENDERER',
    `charts cannot be rendered: ${file} is not the template engine of this version of the SDK; unset HELM_ENGINE if it names this file, or in a clone run \`npm run helm-engine\` again`,
  )
}
