import { freezeJson, parseJson } from '../../../engine/kube/json.js'
import { systemClock } from '../../../engine/time/clock.js'
import { TimeSlice } from '../../../engine/time/time-slice.js'
import type { FileChart } from '../../chart/chart.js'
import { checkLength, objectsOfJson } from '../manifest.js'
import { recordedChart } from '../recorded-chart.js'
import type { ReleaseHook } from '../release-hook.js'
import type { RecordedChart, RenderedChart, RenderedObject } from '../renderer.js'
import { type ChartBytes, chartBytes } from './chart-bytes.js'
import type { EngineAnswer, EngineChart, EngineDocument, EngineRendering } from './engine-messages.js'

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
  const reader = new AnswerReader(texts)
  const rendering = await reader.rendering(head)
  if (!skipCrds) await learnDefinitions(parts, reader, head.crdDocuments ?? [])
  const same = {
    crds: (skipCrds ? [] : (head.crds ?? [])).flatMap((name) => parts.definitions.get(name) ?? []),
    chart: head.chart ? recordOf(head.chart, parts) : recordedChart(chart),
  }
  const variants: RenderedChart[] = []
  for (const variant of head.variants ?? []) variants.push({ ...(await reader.rendering(variant)), ...same })
  return {
    ...rendering,
    ...same,
    ...(head.draws !== undefined && { isRandom: head.draws > 0 }),
    ...(variants.length > 0 && { variants }),
  }
}

/** A hook of the engine in the form of a release: without the empty last run, and with a weight of 0. */
function newHook({ last_run: _, ...hook }: ReleaseHook): ReleaseHook {
  return { ...hook, weight: hook.weight ?? 0 }
}

/**
 * The chart as a release records it: values and metadata after its dependencies were processed, and unchanged files.
 */
function recordOf({ metadata, lock, values }: EngineChart, { recorded }: ChartBytes): RecordedChart {
  return { metadata, lock, values: values ?? {}, ...recorded }
}

async function learnDefinitions(
  { definitions }: ChartBytes,
  reader: AnswerReader,
  documents: readonly EngineDocument[],
): Promise<void> {
  const read = new Map<string, RenderedObject[]>()
  for (const document of documents) {
    const objects = freezeJson(await reader.objectsOf(document))
    read.set(document.source, [...(read.get(document.source) ?? []), ...objects])
  }
  for (const [name, objects] of read) definitions.set(name, objects)
}

/** Reads the texts of an answer, one after the other. */
class AnswerReader {
  readonly #texts: Uint8Array
  #offset = 0
  readonly #slice = new TimeSlice(systemClock)
  /** The objects of each document of the first rendering. */
  #first: (readonly RenderedObject[])[] | undefined

  constructor(texts: Uint8Array) {
    this.#texts = texts
  }

  /** Reads a manifest and its documents. */
  async rendering({
    manifest: size,
    ...head
  }: EngineRendering): Promise<Omit<RenderedChart, 'crds' | 'chart'>> {
    const hooks = (head.hooks ?? []).map(newHook)
    const documents = head.documents ?? []
    const ofManifest = documents.slice(0, documents.length - hooks.length)
    const manifest = Buffer.from(this.#next(size)).toString('utf8')
    const objectLists = await this.#documents(ofManifest)
    this.#first ??= objectLists
    for (const { size } of documents.slice(ofManifest.length)) this.#next(size)
    const { leftOut, notes } = head
    return { manifest, objects: objectLists.flat(), hooks, ...(leftOut && { leftOut }), notes }
  }

  /** Reads the objects of a document. */
  async objectsOf({ source, size, length }: EngineDocument): Promise<RenderedObject[]> {
    checkLength(source, length)
    if (this.#slice.isOver) await this.#slice.pause()
    return objectsOfJson(source, parseJson(this.#next(size)))
  }

  async #documents(documents: readonly EngineDocument[]): Promise<(readonly RenderedObject[])[]> {
    const objectLists: (readonly RenderedObject[])[] = []
    for (const document of documents) {
      const firstObjects = document.same === undefined ? undefined : this.#first?.[document.same]
      objectLists.push(
        firstObjects
          ? firstObjects.map(({ object }) => ({ source: document.source, object }))
          : await this.objectsOf(document),
      )
    }
    return objectLists
  }

  #next(size: number): Uint8Array {
    this.#offset += size
    return this.#texts.subarray(this.#offset - size, this.#offset)
  }
}
