import { Worker } from 'node:worker_threads'
import type { ThreadData } from './engine-messages.js'

/** Starts the thread of the engine. In the sources its file is TypeScript, which not every Node loads in a thread. */
export function startThread(file: URL, workerData: ThreadData): Worker {
  const transferList = [workerData.lookups.port]
  if (!file.pathname.endsWith('.ts')) return new Worker(file, { workerData, transferList })
  const [loader, wanted] = [import.meta.resolve('tsx/esm/api'), file.href].map((url) => JSON.stringify(url))
  const code = `import(${loader}).then(({ tsImport }) => tsImport(${wanted}, ${wanted}))`
  return new Worker(code, { eval: true, workerData, transferList, execArgv: [] })
}
