import { Worker } from 'node:worker_threads'
import type { ThreadData } from './engine-messages.js'

/** Starts the thread of the engine. From sources, it is TypeScript, which not every Node loads in a thread. */
export function startThread(workerData: ThreadData): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./engine-thread.js', import.meta.url), { workerData })
  }
  const file = new URL('./engine-thread.ts', import.meta.url).href
  const [loader, wanted] = [import.meta.resolve('tsx/esm/api'), file].map((url) => JSON.stringify(url))
  const code = `import(${loader}).then(({ tsImport }) => tsImport(${wanted}, ${wanted}))`
  return new Worker(code, { eval: true, workerData, execArgv: [] })
}
