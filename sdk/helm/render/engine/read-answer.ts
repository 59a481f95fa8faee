import { freezeJson, parseJson } from '../../../engine/kube/json.js'
import { systemClock } from '../../../engine/time/clock.js'
import { TimeSlice } from '../../../engine/time/time-slice.js'
import type { FileChart } from '../../chart/chart.js'
import { checkLength, objectsOfJson } from '../manifest.js'
import { recordedChart } from '../recorded-chart.js'
import type { ReleaseHook } from '../release-hook.js'
import type { RecordedChart, RenderedChart, RenderedObject } from '../renderer.js'
import { type ChartBytes, chartBytes } from './chart-bytes.js'
import type { EngineAnswer, EngineChart, EngineDocument } from './engine-messages.js'

/** An answer of the engine, and the texts that follow its head. */
export interface UnpackedAnswer {
  readonly head: EngineAnswer
  readonly texts: Uint8Array
}

const lengthBytes = 4

/** Reads the head of an answer. */
export function unpackAnswer(bytes: Uint8Array): UnpackedAnswer {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const end = lengthBytes + length
  return { head: parseJson(bytes.subarray(lengthBytes, end)) as EngineAnswer, texts: bytes.subarray(end) }
}

/** The rendered chart of an answer without an error. */
export async function renderedChart(
  { head, texts }: UnpackedAnswer,
  chart: FileChart,
  skipCrds = false,
): Promise<RenderedChart> {
  const parts = chartBytes(chart)
  const hooks = (head.hooks ?? []).map(newHook)
  const documents = head.documents ?? []
  const ofManifest = documents.slice(0, documents.length - hooks.length)
  const manifest = Buffer.from(texts.buffer, texts.byteOffset, head.manifest).toString('utf8')
  const reader = new DocumentReader(texts, head.manifest)
  const objects = await reader.objectsOf(ofManifest)
  reader.skip(documents.slice(ofManifest.length))
  if (!skipCrds) await learnDefinitions(parts, reader, head.crdDocuments ?? [])
  return {
    manifest,
    objects,
    hooks,
    ...(head.leftOut && { leftOut: head.leftOut }),
    crds: (skipCrds ? [] : (head.crds ?? [])).flatMap((name) => parts.definitions.get(name) ?? []),
    notes: head.notes,
    chart: head.chart ? recordOf(head.chart, parts) : recordedChart(chart),
  }
}

/** The engine also writes an empty last run, and no weight for 0. */
function newHook({ last_run: _, ...hook }: ReleaseHook): ReleaseHook {
  return { ...hook, weight: hook.weight ?? 0 }
}

/**
 * Releases record the values of a chart and its metadata as its dependencies were processed, and its files as they are.
 */
function recordOf({ metadata, lock, values }: EngineChart, { recorded }: ChartBytes): RecordedChart {
  return { metadata, lock, values: values ?? {}, ...recorded }
}

async function learnDefinitions(
  { definitions }: ChartBytes,
  reader: DocumentReader,
  documents: readonly EngineDocument[],
): Promise<void> {
  const read = new Map<string, RenderedObject[]>()
  for (const document of documents) {
    const objects = freezeJson(await reader.objectsOf([document]))
    read.set(document.source, [...(read.get(document.source) ?? []), ...objects])
  }
  for (const [name, objects] of read) definitions.set(name, objects)
}

/** Reads documents one after the other. */
class DocumentReader {
  readonly #texts: Uint8Array
  #at: number
  readonly #slice = new TimeSlice(systemClock)

  constructor(texts: Uint8Array, at: number) {
    this.#texts = texts
    this.#at = at
  }

  async objectsOf(documents: readonly EngineDocument[]): Promise<RenderedObject[]> {
    const found: RenderedObject[] = []
    for (const { source, size, length } of documents) {
      checkLength(source, length)
      if (this.#slice.isOver) await this.#slice.pause()
      found.push(...objectsOfJson(source, parseJson(this.#texts.subarray(this.#at, this.#at + size))))
      this.#at += size
    }
    return found
  }

  skip(documents: readonly EngineDocument[]): void {
    for (const { size } of documents) this.#at += size
  }
}
