/** The worker thread of the engine: a template that never ends blocks it, and not the program. */
import { parentPort, workerData } from 'node:worker_threads'
import { EngineInstance } from './engine-instance.js'
import type { ThreadAnswer, ThreadData, ThreadRequest } from './engine-messages.js'
import { LookupAsker } from './lookup-asker.js'

const { module, lookups } = workerData as ThreadData
const asker = new LookupAsker(lookups, (question) => parentPort?.postMessage(question))
const findObject = (key: string) => asker.find(key)
let warmInstance: EngineInstance | undefined

async function answerTo({
  head,
  files,
  repeat,
  variants,
  answersLookups,
}: ThreadRequest): Promise<ThreadAnswer> {
  asker.begin(answersLookups)
  try {
    if (repeat)
      return answerOf(await EngineInstance.start(module, { findObject, repeat, variants }), head, files)
    warmInstance ??= await EngineInstance.start(module, { findObject })
    return answerOf(warmInstance, head, files)
  } catch (error) {
    warmInstance = undefined // The instance may have stopped anywhere.
    return { problem: problemOf(error) }
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // The runtime of Go stops by a trap if its memory cannot grow. Its own words are dropped, as they may quote values.
  if (error.name !== 'RuntimeError') return error.message
  return `a template needs more memory than the renderer's memoryMiB allows, and its engine stopped: ${error.message}`
}

function answerOf(instance: EngineInstance, head: string, files: Uint8Array): ThreadAnswer {
  const bytes = instance.render(head, files)
  return { bytes, memoryBytes: instance.memoryBytes }
}

parentPort?.on('message', (request: ThreadRequest) => {
  void answerTo(request).then((answer) => {
    const moved = 'bytes' in answer ? [answer.bytes.buffer as ArrayBuffer] : []
    parentPort?.postMessage(answer, moved)
  })
})
