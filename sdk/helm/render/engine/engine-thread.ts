/** The worker thread of the engine: a template that never ends blocks it, and not the program. */
import { parentPort, workerData } from 'node:worker_threads'
import { EngineInstance } from './engine-instance.js'
import type { ThreadAnswer, ThreadData, ThreadRequest } from './engine-messages.js'

const { module } = workerData as ThreadData
let warm: EngineInstance | undefined

async function answerTo({ text, repeat }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    if (repeat) return { text: (await EngineInstance.start(module, repeat)).render(text) }
    warm ??= await EngineInstance.start(module)
    return { text: warm.render(text) }
  } catch (error) {
    warm = undefined // It may have stopped anywhere.
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (request: ThreadRequest) => {
  void answerTo(request).then((answer) => parentPort?.postMessage(answer))
})
