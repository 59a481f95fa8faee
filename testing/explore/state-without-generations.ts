import type { ObjectTexts } from '../compare/differences.js'
import type { Recorder } from '../recorder/recorder.js'
import { endStateOf } from '../scenario/end-state.js'

/** The objects of all clusters, without the generations that were observed. */
export async function stateWithoutGenerations(recorder: Recorder): Promise<ObjectTexts> {
  const texts = await endStateOf(recorder)
  const masked = [...texts].map(([name, text]): [string, string] => [
    name,
    text.replaceAll(/"observedGeneration":\d+/g, '"observedGeneration":0'),
  ])
  return new Map(masked)
}
